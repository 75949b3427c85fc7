import com.google.gson.JsonParseException;
import java.io.IOException;
import java.net.ProtocolException;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.JSON;
import org.openapitools.client.model.ContactProperty;

final class Client {
  static ApiClient with(String url, String key) {
    var client = new ApiClient().setBasePath(url);
    client.setBearerToken(key);
    return client;
  }

  static String json(Object it) {
    return JSON.getGson().newBuilder().serializeNulls().create().toJson(it); // As the contract requires them.
  }

  static Object fallbackValue(ContactProperty it) {
    return it.getFallbackValue() == null ? null : it.getFallbackValue().getActualInstance();
  }

  static Driver.Failed failure(Exception error) throws Exception {
    if (error instanceof ApiException it) {
      if (it.getCause() instanceof IOException && it.getCode() == 0) return Driver.Failed.network();
      return it.getErrorObject() == null
          ? Driver.Failed.unreadable(it.getCode())
          : Driver.Failed.response(it.getCode(), it.getErrorObject().getStatusCode(), it.getErrorObject().getName());
    }
    if (error instanceof JsonParseException && error.getCause() instanceof ProtocolException) return Driver.Failed.network();
    // Of a body, which it throws unchanged.
    if (error instanceof JsonParseException || error instanceof IllegalArgumentException) return Driver.Failed.unreadable(0);
    throw error;
  }
}
