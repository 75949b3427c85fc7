import java.io.File
import org.openapitools.client.apis.AutomationsApi
import org.openapitools.client.apis.ContactImportsApi
import org.openapitools.client.apis.ContactPropertiesApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.AutomationStatus
import org.openapitools.client.models.Problem
import org.openapitools.client.models.ProblemName

// The seven things, with the client that openapi-generator makes for Kotlin.

class Expected(
    val automations: Int,
    val firstAutomationId: String,
    val enabled: Int,
    val importId: String,
    val importCreated: Int,
    val fallbackValues: List<Any?>,
)

fun main() {
    val want = fromJson<Expected>(File(System.getenv("EXPECTED")).readText())
    ApiClient.accessToken = System.getenv("ROLLCALL_API_KEY")
    val automations = AutomationsApi(System.getenv("ROLLCALL_URL"))
    val imports = ContactImportsApi(System.getenv("ROLLCALL_URL"))

    expect("the first automation", automations.listAutomations().data.first().id, want.firstAutomationId)
    expect("automations", walk(automations, null), want.automations)
    expect("enabled automations", walk(automations, AutomationStatus.enabled), want.enabled)

    expect("counts.created", imports.getContactImport(want.importId).counts.created, want.importCreated)

    val properties = ContactPropertiesApi(System.getenv("ROLLCALL_URL")).listContactProperties().data
    expect("fallback values", properties.map { it.fallbackValue }, want.fallbackValues)

    val unknown = "00000000-0000-4000-8000-000000000000"
    expectProblem(imports, unknown, 404, ProblemName.not_found)
    ApiClient.accessToken = "wrong"
    expectProblem(imports, want.importId, 401, ProblemName.invalid_api_key)
}

fun walk(automations: AutomationsApi, status: AutomationStatus?): Int {
    val seen = mutableSetOf<String>()
    var after: String? = null
    while (true) {
        val page = automations.listAutomations(limit = 100, after = after, status = status)
        for (it in page.data) {
            check(seen.add(it.id)) { "answered twice: $it" }
            check(status == null || it.status == status) { "not asked for: $it" }
        }
        if (!page.hasMore) return seen.size
        after = page.data.last().id
    }
}

fun expectProblem(imports: ContactImportsApi, id: String, status: Int, name: ProblemName) {
    val error = runCatching { imports.getContactImport(id) }.exceptionOrNull()
    check(error is ClientException) { "$name was to come: $error" }
    expect("status", error.statusCode, status)
    val problem = fromJson<Problem>((error.response as ClientError<*>).body as String) // The generated exception has it as text.
    expect("statusCode", problem.statusCode, status)
    expect("name", problem.name, name)
}

inline fun <reified T> fromJson(text: String): T =
    checkNotNull(Serializer.moshi.adapter(T::class.java).fromJson(text))

fun expect(what: String, got: Any, want: Any) = check(got == want) { "$what: $got, not $want" }
