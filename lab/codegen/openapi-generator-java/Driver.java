import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
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

/** Prints each item of the list that the command line names, with the generated client. An error ends it with a code that is not 0. */
public class Driver {
  /** @param last the id of the last item; null if there is none. */
  record Page(boolean hasMore, String last, List<?> items) {
    static <T> Page of(Boolean hasMore, List<T> items, Function<T, String> idOf) {
      return new Page(hasMore, items.isEmpty() ? null : idOf.apply(items.get(items.size() - 1)), items);
    }
  }

  static final int LIMIT = 7;

  public static void main(String[] arguments) throws Exception {
    var client = new ApiClient();
    client.updateBaseUri(System.getenv("ROLLCALL_BASE_URL"));
    var key = System.getenv("ROLLCALL_API_KEY");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    var params = Objects.requireNonNullElse(System.getenv("ROLLCALL_PARAMS"), "");
    var status = params.startsWith("status=") ? params.substring("status=".length()) : null;
    var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    var json = ApiClient.createDefaultObjectMapper();
    var code = 1;
    try {
      for (String after = null; ; ) {
        var page = read(client, arguments[0], after, status);
        for (var item : page.items) out.println(json.writeValueAsString(item));
        if (!page.hasMore) break;
        // Instead of a loop without an end.
        if (page.last == null || page.last.equals(after)) throw new IllegalStateException("the list does not go on");
        after = page.last;
      }
      code = 0;
    } catch (Exception error) {
      error.printStackTrace();
    }
    System.exit(code); // Without waiting for the threads of an HTTP client.
  }

  static Page read(ApiClient client, String name, String after, String status) throws ApiException {
    switch (name) {
      case "automations" -> {
        var wanted = status == null ? null : AutomationStatus.fromValue(status);
        var page = new AutomationsApi(client).listAutomations(LIMIT, after, null, wanted, null);
        return Page.of(page.getHasMore(), page.getData(), Automation::getId);
      }
      case "contact-properties" -> {
        var page = new ContactPropertiesApi(client).listContactProperties(LIMIT, after, null, null);
        return Page.of(page.getHasMore(), page.getData(), ContactProperty::getId);
      }
      default -> {
        var wanted = status == null ? null : ContactImportStatus.fromValue(status);
        var page = new ContactImportsApi(client).listContactImports(LIMIT, after, null, wanted, null);
        return Page.of(page.getHasMore(), page.getData(), ContactImport::getId);
      }
    }
  }
}
