import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AutomationsApi;
import org.openapitools.client.api.ContactImportsApi;
import org.openapitools.client.api.ContactPropertiesApi;
import org.openapitools.client.model.Automation;
import org.openapitools.client.model.AutomationStatus;
import org.openapitools.client.model.ContactImport;
import org.openapitools.client.model.ContactImportStatus;
import org.openapitools.client.model.ContactProperty;
import org.openapitools.client.model.ProblemName;

/**
 * The driver of a client that openapi-generator makes for Java: it runs one task of `rollcall examine`. What differs by its
 * library is in a row's Client.
 */
public class Driver {
  /** An error as the driver prints it. Status 0: nothing was received, or the client does not tell. */
  record Failed(int status, String name) {
    /** An error response has the name of its body, if the status in its body is that of the response. */
    static Failed response(int status, Integer statusInBody, ProblemName name) {
      var isReadable = statusInBody != null && statusInBody == status && name != null;
      return new Failed(status, isReadable ? name.getValue() : "unreadable");
    }

    static Failed unreadable(int status) {
      return new Failed(status, "unreadable");
    }

    static Failed network() {
      return new Failed(0, "network");
    }
  }

  /** The server's list does not move on. */
  static class NoProgress extends Exception {}

  record Page(boolean hasMore, List<String> ids) {}

  record Query(Integer limit, String after, String before, String status) {
    Query at(String cursor) {
      return before == null ? new Query(limit, cursor, null, status) : new Query(limit, null, cursor, status);
    }
  }

  interface Lister {
    Page list(Query query) throws Exception;
  }

  // The compiler looks for them.
  static final ProblemName[] NAMES = {ProblemName.NOT_FOUND, ProblemName.INVALID_API_KEY};
  static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  public static void main(String[] arguments) throws Exception {
    try {
      run(Client.with(System.getenv("ROLLCALL_BASE_URL"), System.getenv("ROLLCALL_API_KEY")), arguments);
    } catch (Exception error) {
      var failed = error instanceof NoProgress ? Failed.unreadable(200) : Client.failure(error);
      OUT.println("error " + failed.status + " " + failed.name);
      error.printStackTrace();
      System.exit(10);
    }
    System.exit(0); // Without waiting for the threads of an HTTP client.
  }

  static void run(ApiClient client, String[] arguments) throws Exception {
    var automations = new AutomationsApi(client);
    var properties = new ContactPropertiesApi(client);
    var imports = new ContactImportsApi(client);
    Map<String, Lister> lists =
        Map.of(
            "automations",
            it -> {
              var status = it.status == null ? null : AutomationStatus.fromValue(it.status);
              var page = automations.listAutomations(it.limit, it.after, it.before, status, null, null);
              return new Page(page.getHasMore(), page.getData().stream().map(Automation::getId).toList());
            },
            "contact-properties",
            it -> {
              var page = properties.listContactProperties(it.limit, it.after, it.before, null, null);
              return new Page(page.getHasMore(), page.getData().stream().map(ContactProperty::getId).toList());
            },
            "contact-imports",
            it -> {
              var status = it.status == null ? null : ContactImportStatus.fromValue(it.status);
              var page = imports.listContactImports(it.limit, it.after, it.before, status, null, null);
              return new Page(page.getHasMore(), page.getData().stream().map(ContactImport::getId).toList());
            });
    var task = arguments.length > 0 ? arguments[0] : "";
    var what = arguments.length > 1 ? arguments[1] : "";
    var list = lists.get(what);
    if (task.equals("list") && list != null) list.list(queryOf(arguments)).ids.forEach(OUT::println);
    else if (task.equals("list-all") && list != null) listAll(list, queryOf(arguments));
    else if (task.equals("get")) OUT.println(Client.json(imports.getContactImport(what, null, null)));
    else if (task.equals("fallback-values")) { // A task of the matrix: the values of the contract that have several types.
      var page = properties.listContactProperties(null, null, null, null, null);
      for (var it : page.getData()) OUT.println(Client.json(Client.fallbackValue(it)));
    } else OUT.println("unsupported");
  }

  static Query queryOf(String[] arguments) {
    var given = new HashMap<String, String>();
    for (var at = 2; at + 1 < arguments.length; at += 2) given.put(arguments[at], arguments[at + 1]);
    var limit = given.get("--limit");
    return new Query(
        limit == null ? null : Integer.valueOf(limit), given.get("--after"), given.get("--before"), given.get("--status"));
  }

  static void listAll(Lister list, Query query) throws Exception {
    while (true) {
      var page = list.list(query);
      page.ids.forEach(OUT::println);
      if (!page.hasMore) return;
      if (page.ids.isEmpty()) throw new NoProgress();
      var next = page.ids.get(query.before == null ? page.ids.size() - 1 : 0);
      if (next.equals(query.before == null ? query.after : query.before)) throw new NoProgress();
      query = query.at(next);
    }
  }
}
