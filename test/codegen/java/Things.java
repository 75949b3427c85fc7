import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.openapitools.client.api.AutomationsApi;
import org.openapitools.client.api.ContactImportsApi;
import org.openapitools.client.api.ContactPropertiesApi;
import org.openapitools.client.model.AutomationStatus;
import org.openapitools.client.model.Problem;
import org.openapitools.client.model.ProblemName;

/** The seven things, with a client that openapi-generator makes for Java. What differs by its library is in a row's Client. */
public class Things {
  record Expected(
      int automations,
      String firstAutomationId,
      int enabled,
      String importId,
      int importCreated,
      List<Object> fallbackValues) {}

  record Failure(int status, Problem problem) {}

  public static void main(String[] arguments) throws Exception {
    var want = Client.read(Files.readString(Path.of(System.getenv("EXPECTED"))), Expected.class);
    var client = Client.with(System.getenv("ROLLCALL_URL"), System.getenv("ROLLCALL_API_KEY"));
    var automations = new AutomationsApi(client);
    var imports = new ContactImportsApi(client);

    var first = automations.listAutomations(null, null, null, null, null, null);
    expect("the first automation", first.getData().get(0).getId(), want.firstAutomationId);
    expect("automations", walk(automations, null), want.automations);
    expect("enabled automations", walk(automations, AutomationStatus.ENABLED), want.enabled);

    var found = imports.getContactImport(want.importId, null, null);
    expect("counts.created", found.getCounts().getCreated(), want.importCreated);

    var properties = new ContactPropertiesApi(client).listContactProperties(null, null, null, null, null).getData();
    expect("fallback values", properties.stream().map(Client::fallbackValue).toList(), want.fallbackValues);

    expectProblem(imports, "00000000-0000-4000-8000-000000000000", 404, ProblemName.NOT_FOUND);
    var refused = new ContactImportsApi(Client.with(System.getenv("ROLLCALL_URL"), "wrong"));
    expectProblem(refused, want.importId, 401, ProblemName.INVALID_API_KEY);
  }

  static int walk(AutomationsApi automations, AutomationStatus status) throws Exception {
    Set<String> seen = new HashSet<>();
    String after = null;
    while (true) {
      var page = automations.listAutomations(100, after, null, status, null, null);
      for (var it : page.getData()) {
        if (!seen.add(it.getId())) throw new AssertionError("answered twice: " + it);
        if (status != null && it.getStatus() != status) throw new AssertionError("not asked for: " + it);
      }
      if (!page.getHasMore()) return seen.size();
      after = page.getData().get(page.getData().size() - 1).getId();
    }
  }

  static void expectProblem(ContactImportsApi imports, String id, int status, ProblemName name) throws Exception {
    try {
      throw new AssertionError("an answer, though " + name + " was to come: " + imports.getContactImport(id, null, null));
    } catch (Exception error) {
      var failure = Client.failure(error);
      expect("status", failure.status, status);
      expect("statusCode", failure.problem.getStatusCode(), status);
      expect("name", failure.problem.getName(), name);
    }
  }

  static void expect(String what, Object got, Object want) {
    if (!want.equals(got)) throw new AssertionError(what + ": " + got + ", not " + want);
  }
}
