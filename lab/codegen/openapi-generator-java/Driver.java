import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.AutomationsApi;
import org.openapitools.client.api.ContactImportsApi;
import org.openapitools.client.api.ContactPropertiesApi;
import org.openapitools.client.model.Automation;
import org.openapitools.client.model.AutomationStatus;
import org.openapitools.client.model.ContactImport;
import org.openapitools.client.model.ContactImportStatus;
import org.openapitools.client.model.ContactProperty;
import org.openapitools.client.model.Problem;

/** The driver of the generated client: it runs one task of `rollcall examine`. */
public class Driver {
  /** An error as the driver prints it. Status 0: nothing was received, or the client does not tell. */
  record Failed(int status, String name) {
    static Failed of(ApiException error) {
      if (error.getCause() instanceof JsonProcessingException) return unreadable(error.getCode());
      if (error.getCause() instanceof IOException && error.getCode() == 0) return new Failed(0, "network");
      try {
        var problem = ApiClient.createDefaultObjectMapper().readValue(error.getResponseBody(), Problem.class);
        // An error response has the name of its body, if the status in its body is that of the response.
        var isOwn = problem.getStatusCode() != null && problem.getStatusCode() == error.getCode();
        if (isOwn && problem.getName() != null) return new Failed(error.getCode(), problem.getName().getValue());
      } catch (JsonProcessingException | IllegalArgumentException unreadable) {
        // As below.
      }
      return unreadable(error.getCode());
    }

    static Failed unreadable(int status) {
      return new Failed(status, "unreadable");
    }
  }

  /** The server's list does not move on. */
  static class NoProgress extends Exception {}

  record Page(boolean hasMore, List<String> ids, List<?> items) {}

  record Query(Integer limit, String after, String before, String status) {
    Query at(String cursor) {
      return before == null ? new Query(limit, cursor, null, status) : new Query(limit, null, cursor, status);
    }
  }

  interface Lister {
    Page list(Query query) throws ApiException;
  }

  static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  public static void main(String[] arguments) throws Exception {
    try {
      run(arguments);
    } catch (NoProgress error) {
      end(Failed.unreadable(200));
    } catch (ApiException error) {
      error.printStackTrace();
      end(Failed.of(error));
    }
    System.exit(0); // Without waiting for the threads of an HTTP client.
  }

  static void end(Failed failed) {
    OUT.println("error " + failed.status + " " + failed.name);
    System.exit(10);
  }

  static void run(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("ROLLCALL_BASE_URL"));
    var key = System.getenv("ROLLCALL_API_KEY");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    var automations = new AutomationsApi(client);
    var properties = new ContactPropertiesApi(client);
    var imports = new ContactImportsApi(client);
    Map<String, Lister> lists =
        Map.of(
            "automations",
            query -> {
              var status = query.status == null ? null : AutomationStatus.fromValue(query.status);
              var page = automations.listAutomations(query.limit, query.after, query.before, status, null);
              return new Page(page.getHasMore(), page.getData().stream().map(Automation::getId).toList(), page.getData());
            },
            "contact-properties",
            query -> {
              var page = properties.listContactProperties(query.limit, query.after, query.before, null);
              return new Page(page.getHasMore(), page.getData().stream().map(ContactProperty::getId).toList(), page.getData());
            },
            "contact-imports",
            query -> {
              var status = query.status == null ? null : ContactImportStatus.fromValue(query.status);
              var page = imports.listContactImports(query.limit, query.after, query.before, status, null);
              return new Page(page.getHasMore(), page.getData().stream().map(ContactImport::getId).toList(), page.getData());
            });
    var json = ApiClient.createDefaultObjectMapper();
    var what = arguments.length > 1 ? arguments[1] : "";
    switch (arguments[0]) {
      case "list" -> lists.get(what).list(queryOf(arguments)).ids.forEach(OUT::println);
      case "list-all" -> listAll(lists.get(what), queryOf(arguments));
      case "get" -> OUT.println(json.writeValueAsString(imports.getContactImport(what, null)));
      case "records" -> {
        for (var item : lists.get(what).list(queryOf(arguments)).items) OUT.println(json.writeValueAsString(item));
      }
      default -> OUT.println("unsupported");
    }
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
