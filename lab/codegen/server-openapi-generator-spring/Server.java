package org.openapitools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.openapitools.api.AutomationsApi;
import org.openapitools.api.ContactPropertiesApi;
import org.openapitools.api.ContactsApi;
import org.openapitools.model.Automation;
import org.openapitools.model.AutomationList;
import org.openapitools.model.AutomationStatus;
import org.openapitools.model.ContactImport;
import org.openapitools.model.ContactImportList;
import org.openapitools.model.ContactImportStatus;
import org.openapitools.model.ContactProperty;
import org.openapitools.model.ContactPropertyList;
import org.openapitools.model.ListType;
import org.openapitools.model.Problem;
import org.openapitools.model.ProblemName;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.ResponseEntity;
import org.springframework.util.DigestUtils;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestController;

/** A server of the contract in memory: the generated interfaces, filled. It runs `rollcall conform` against itself. */
@SpringBootApplication
public class Server {
  /** The records of the one key, newest first. */
  record Account(
      List<Automation> automations, List<ContactProperty> contactProperties, List<ContactImport> contactImports) {}

  public static void main(String[] arguments) throws Exception {
    var application = new SpringApplication(Server.class);
    application.setBannerMode(Banner.Mode.OFF);
    application.setDefaultProperties(Map.of(
        "server.address", "127.0.0.1",
        "server.port", "0",
        "spring.servlet.multipart.enabled", "false",
        "logging.level.root", "warn"));
    var context = (ServletWebServerApplicationContext) application.run(arguments);
    var url = "http://127.0.0.1:" + context.getWebServer().getPort();
    var conform = List.of(
        "node", System.getenv("ROLLCALL"), "conform", url, "--key", System.getenv("ROLLCALL_API_KEY"),
        "--baseline", "known-failures.txt", "--strict-baseline");
    System.exit(new ProcessBuilder(conform).inheritIO().start().waitFor());
  }

  @Bean
  Account account(ObjectMapper mapper) throws IOException {
    return mapper.readValue(new File(System.getenv("RECORDS")), Account.class);
  }

  static class NotFound extends RuntimeException {}

  record Page<T>(List<T> items, boolean hasMore) {
    /** What follows or precedes a cursor, which is looked up in the whole list, whatever is kept of it. */
    static <T> Page<T> of(
        List<T> all, Function<T, String> idOf, Predicate<T> keep, int limit, String after, String before) {
      var ids = all.stream().map(idOf).toList();
      var from = after == null ? 0 : indexOf(ids, after) + 1;
      var to = before == null ? all.size() : indexOf(ids, before);
      var kept = all.subList(from, to).stream().filter(keep).toList();
      if (kept.size() <= limit) return new Page<>(kept, false);
      var first = before == null ? 0 : kept.size() - limit;
      return new Page<>(kept.subList(first, first + limit), true);
    }
  }

  static int indexOf(List<String> ids, String id) {
    var at = ids.indexOf(id.toLowerCase());
    if (at < 0) throw new NotFound();
    return at;
  }

  @RestController
  static class Handlers implements AutomationsApi, ContactPropertiesApi, ContactsApi {
    private final Account account;
    private final ObjectMapper mapper;

    Handlers(Account account, ObjectMapper mapper) {
      this.account = account;
      this.mapper = mapper;
    }

    @Override
    public ResponseEntity<AutomationList> listAutomations(
        Integer limit, String after, String before, AutomationStatus status, String ifNoneMatch) {
      Predicate<Automation> keep = it -> status == null || it.getStatus() == status;
      var page = Page.of(account.automations, Automation::getId, keep, limit, after, before);
      return answer(new AutomationList(ListType.LIST, page.hasMore, page.items));
    }

    @Override
    public ResponseEntity<ContactPropertyList> listContactProperties(
        Integer limit, String after, String before, String ifNoneMatch) {
      var page = Page.of(account.contactProperties, ContactProperty::getId, it -> true, limit, after, before);
      return answer(new ContactPropertyList(ListType.LIST, page.hasMore, page.items));
    }

    @Override
    public ResponseEntity<ContactImportList> listContactImports(
        Integer limit, String after, String before, ContactImportStatus status, String ifNoneMatch) {
      Predicate<ContactImport> keep = it -> status == null || it.getStatus() == status;
      var page = Page.of(account.contactImports, ContactImport::getId, keep, limit, after, before);
      return answer(new ContactImportList(ListType.LIST, page.hasMore, page.items));
    }

    @Override
    public ResponseEntity<ContactImport> getContactImport(String id, String ifNoneMatch) {
      var ids = account.contactImports.stream().map(ContactImport::getId).toList();
      return answer(account.contactImports.get(indexOf(ids, id)));
    }

    /** With its tag: Spring says itself that a response has not changed since. */
    private <T> ResponseEntity<T> answer(T body) {
      try {
        return ResponseEntity.ok().eTag(DigestUtils.md5DigestAsHex(mapper.writeValueAsBytes(body))).body(body);
      } catch (JsonProcessingException error) {
        throw new IllegalStateException(error);
      }
    }

    @ExceptionHandler
    ResponseEntity<Problem> notFound(NotFound error) {
      var problem = new Problem(404, ProblemName.NOT_FOUND, "The account has no item with this id.");
      return ResponseEntity.status(404).body(problem);
    }
  }
}
