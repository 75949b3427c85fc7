import com.squareup.moshi.JsonDataException
import com.squareup.moshi.JsonEncodingException
import java.io.EOFException
import java.io.IOException
import kotlin.system.exitProcess
import org.openapitools.client.apis.AutomationsApi
import org.openapitools.client.apis.ContactImportsApi
import org.openapitools.client.apis.ContactPropertiesApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.infrastructure.ServerError
import org.openapitools.client.infrastructure.ServerException
import org.openapitools.client.models.AutomationStatus
import org.openapitools.client.models.ContactImport
import org.openapitools.client.models.ContactImportStatus
import org.openapitools.client.models.Problem
import org.openapitools.client.models.ProblemName

// The driver of the client that openapi-generator makes for Kotlin: it runs one task of `rollcall examine`.

data class Query(val limit: Int?, val after: String?, val before: String?, val status: String?)

class Page(val hasMore: Boolean, val ids: List<String>)

/** An error as the driver prints it. Status 0: nothing was received, or the client does not tell. */
class Failed(val status: Int, val problemName: String) : Exception()

// The compiler looks for them.
val NAMES = listOf(ProblemName.not_found, ProblemName.invalid_api_key)

fun main(arguments: Array<String>) {
    ApiClient.accessToken = System.getenv("ROLLCALL_API_KEY")
    try {
        run(System.getenv("ROLLCALL_BASE_URL"), arguments)
    } catch (error: Exception) {
        val failed = failureOf(error)
        println("error ${failed.status} ${failed.problemName}")
        error.printStackTrace()
        exitProcess(10)
    }
    exitProcess(0) // Without waiting for the threads of the HTTP client.
}

fun run(url: String, arguments: Array<String>) {
    val automations = AutomationsApi(url)
    val properties = ContactPropertiesApi(url)
    val imports = ContactImportsApi(url)
    val lists = mapOf<String, (Query) -> Page>(
        "automations" to {
            val status = it.status?.let { text -> AutomationStatus.entries.first { it.value == text } }
            val page = automations.listAutomations(it.limit ?: 20, it.after, it.before, status)
            Page(page.hasMore, page.data.map { it.id })
        },
        "contact-properties" to {
            val page = properties.listContactProperties(it.limit ?: 20, it.after, it.before)
            Page(page.hasMore, page.data.map { it.id })
        },
        "contact-imports" to {
            val status = it.status?.let { text -> ContactImportStatus.entries.first { it.value == text } }
            val page = imports.listContactImports(it.limit ?: 10, it.after, it.before, status)
            Page(page.hasMore, page.data.map { it.id })
        },
    )
    val task = arguments.getOrElse(0) { "" }
    val what = arguments.getOrElse(1) { "" }
    val list = lists[what]
    when {
        task == "list" && list != null -> list(queryOf(arguments)).ids.forEach(::println)
        task == "list-all" && list != null -> listAll(list, queryOf(arguments))
        task == "get" ->
            println(Serializer.moshi.adapter(ContactImport::class.java).serializeNulls().toJson(imports.getContactImport(what)))
        // A task of the matrix: the values of the contract that have several types.
        task == "fallback-values" ->
            for (it in properties.listContactProperties().data) {
                println(Serializer.moshi.adapter(Any::class.java).serializeNulls().toJson(it.fallbackValue))
            }
        else -> println("unsupported")
    }
}

fun queryOf(arguments: Array<String>): Query {
    val given = arguments.drop(2).chunked(2).associate { (name, value) -> name to value }
    return Query(given["--limit"]?.toInt(), given["--after"], given["--before"], given["--status"])
}

fun listAll(list: (Query) -> Page, first: Query) {
    var query = first
    while (true) {
        val page = list(query)
        page.ids.forEach(::println)
        if (!page.hasMore) return
        val next = if (query.before == null) page.ids.lastOrNull() else page.ids.firstOrNull()
        // A server that does not move on must not keep the program for ever.
        if (next == null || next == (query.before ?: query.after)) throw Failed(200, "unreadable")
        query = if (query.before == null) query.copy(after = next) else query.copy(before = next)
    }
}

fun failureOf(error: Exception): Failed =
    when (error) {
        is Failed -> error
        is ClientException -> problemOf(error.statusCode, (error.response as? ClientError<*>)?.body)
        is ServerException -> problemOf(error.statusCode, (error.response as? ServerError<*>)?.body)
        // The last is of a body that is not JSON by its media type.
        is JsonDataException, is JsonEncodingException, is EOFException, is UnsupportedOperationException ->
            Failed(0, "unreadable")
        is IOException -> Failed(0, "network")
        else -> throw error
    }

/** The generated exceptions have the body as text. */
fun problemOf(status: Int, body: Any?): Failed {
    val problem = runCatching { Serializer.moshi.adapter(Problem::class.java).fromJson(body as String) }.getOrNull()
    return Failed(status, if (problem?.statusCode == status) problem.name.value else "unreadable")
}
