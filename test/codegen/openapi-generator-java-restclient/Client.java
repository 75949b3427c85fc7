import com.fasterxml.jackson.databind.ObjectMapper;
import org.openapitools.client.ApiClient;
import org.openapitools.client.model.ContactProperty;
import org.openapitools.client.model.Problem;
import org.springframework.web.client.RestClientResponseException;

final class Client {
  static ApiClient with(String url, String key) {
    var client = new ApiClient().setBasePath(url);
    client.setBearerToken(key);
    return client;
  }

  static <T> T read(String json, Class<T> type) throws Exception {
    return new ObjectMapper().readValue(json, type);
  }

  static Object fallbackValue(ContactProperty it) {
    return it.getFallbackValue();
  }

  static Things.Failure failure(Exception error) throws Exception {
    if (!(error instanceof RestClientResponseException it)) throw error;
    return new Things.Failure(it.getStatusCode().value(), it.getResponseBodyAs(Problem.class));
  }
}
