import com.google.gson.Gson;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.model.ContactProperty;

final class Client {
  static ApiClient with(String url, String key) {
    var client = new ApiClient().setBasePath(url);
    client.setBearerToken(key);
    return client;
  }

  static <T> T read(String json, Class<T> type) {
    return new Gson().fromJson(json, type);
  }

  static Object fallbackValue(ContactProperty it) {
    return it.getFallbackValue() == null ? null : it.getFallbackValue().getActualInstance();
  }

  static Things.Failure failure(Exception error) throws Exception {
    if (!(error instanceof ApiException it)) throw error;
    return new Things.Failure(it.getCode(), it.getErrorObject());
  }
}
