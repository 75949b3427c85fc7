import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
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

  static String json(Object it) throws Exception {
    return ApiClient.createDefaultObjectMapper().writeValueAsString(it);
  }

  static Object fallbackValue(ContactProperty it) {
    return it.getFallbackValue();
  }

  static Driver.Failed failure(Exception error) throws Exception {
    if (!(error instanceof ApiException it)) throw error;
    if (it.getCause() instanceof JsonProcessingException) return Driver.Failed.unreadable(it.getCode());
    if (it.getCause() instanceof IOException && it.getCode() == 0) return Driver.Failed.network();
    try {
      var problem = ApiClient.createDefaultObjectMapper().readValue(it.getResponseBody(), Problem.class);
      return Driver.Failed.response(it.getCode(), problem.getStatusCode(), problem.getName());
    } catch (JsonProcessingException | IllegalArgumentException unreadable) {
      return Driver.Failed.unreadable(it.getCode());
    }
  }
}
