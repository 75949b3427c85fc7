import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.model.ContactProperty;
import org.openapitools.client.model.Problem;

final class Client {
  static ApiClient with(String url, String key) {
    var client = new ApiClient();
    client.updateBaseUri(url);
    return client.setRequestInterceptor(it -> it.header("Authorization", "Bearer " + key));
  }

  static <T> T read(String json, Class<T> type) throws Exception {
    return ApiClient.createDefaultObjectMapper().readValue(json, type);
  }

  static Object fallbackValue(ContactProperty it) {
    return it.getFallbackValue();
  }

  static Things.Failure failure(Exception error) throws Exception {
    if (!(error instanceof ApiException it)) throw error;
    return new Things.Failure(it.getCode(), read(it.getResponseBody(), Problem.class));
  }
}
