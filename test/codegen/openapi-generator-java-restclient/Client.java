import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.openapitools.client.ApiClient;
import org.openapitools.client.model.ContactProperty;
import org.openapitools.client.model.Problem;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClientException;
import org.springframework.web.client.RestClientResponseException;

final class Client {
  static ApiClient with(String url, String key) {
    var client = new ApiClient().setBasePath(url);
    client.setBearerToken(key);
    return client;
  }

  static String json(Object it) throws Exception {
    return new ObjectMapper().writeValueAsString(it);
  }

  static Object fallbackValue(ContactProperty it) {
    return it.getFallbackValue();
  }

  static Driver.Failed failure(Exception error) throws Exception {
    if (error instanceof ResourceAccessException || isCut(error)) return Driver.Failed.network();
    if (!(error instanceof RestClientException)) throw error;
    // Of a body: it does not tell the status.
    if (!(error instanceof RestClientResponseException it)) return Driver.Failed.unreadable(0);
    var status = it.getStatusCode().value();
    try {
      var problem = it.getResponseBodyAs(Problem.class);
      return problem == null
          ? Driver.Failed.unreadable(status)
          : Driver.Failed.response(status, problem.getStatusCode(), problem.getName());
    } catch (RestClientException unreadable) {
      return Driver.Failed.unreadable(status);
    }
  }

  /** Whether the connection ended within a body. */
  static boolean isCut(Throwable error) {
    for (var it = error; it != null; it = it.getCause()) {
      if (it instanceof IOException && !(it instanceof JsonProcessingException)) return true;
    }
    return false;
  }
}
