package org.openapitools;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.openapitools.model.AutomationStatus;
import org.openapitools.model.ContactImportStatus;
import org.openapitools.model.Problem;
import org.openapitools.model.ProblemName;
import org.springframework.stereotype.Component;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.UriUtils;

/** Checks, in the contract's order, what the generated code does not: path, method, key and parameters. */
@Component
class Guard extends OncePerRequestFilter {
  /** The values that a parameter may have, and how an error names them. */
  record Rule(String pattern, String words) {}

  private static final Rule ID = new Rule("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", "a UUID");
  private static final Rule LIMIT = new Rule("[1-9][0-9]?|100", "a whole number from 1 to 100");
  private static final Map<String, Rule> PAGING = Map.of("limit", LIMIT, "after", ID, "before", ID);
  private static final Map<String, Map<String, Rule>> LISTS = Map.of(
      "/automations", withStatus(AutomationStatus.values()),
      "/contact-properties", PAGING,
      "/contacts/imports", withStatus(ContactImportStatus.values()));
  private static final String ITEM = "/contacts/imports/";
  private static final String METHODS = "GET, HEAD, OPTIONS";

  private final ObjectMapper mapper;
  private final String key = System.getenv("ROLLCALL_API_KEY");

  Guard(ObjectMapper mapper) {
    this.mapper = mapper;
  }

  private static Map<String, Rule> withStatus(Object[] statuses) {
    var names = Arrays.stream(statuses).map(String::valueOf).toList();
    var rules = new HashMap<>(PAGING);
    rules.put("status", new Rule(String.join("|", names), "one of " + String.join(", ", names)));
    return rules;
  }

  @Override
  protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws ServletException, IOException {
    var sent = request.getHeader("X-Request-Id");
    var isUsable = sent != null && sent.matches("[A-Za-z0-9._~+/=:@-]{1,128}");
    response.setHeader("X-Request-Id", isUsable ? sent : UUID.randomUUID().toString());
    response.setHeader("Cache-Control", "private, no-cache");
    response.setHeader("Vary", "Authorization");

    var path = UriUtils.decode(request.getRequestURI(), StandardCharsets.UTF_8).replaceFirst("^/+", "/");
    var id = path.startsWith(ITEM) && path.indexOf('/', ITEM.length()) < 0 ? path.substring(ITEM.length()) : "";
    if (!LISTS.containsKey(path) && id.isEmpty()) {
      refuse(response, 404, ProblemName.NOT_FOUND, "This path does not exist.");
      return;
    }
    var method = request.getMethod();
    if (method.equals("OPTIONS")) {
      response.setHeader("Allow", METHODS);
      response.setStatus(204);
      return;
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      response.setHeader("Allow", METHODS);
      refuse(response, 405, ProblemName.METHOD_NOT_ALLOWED, "This path supports only " + METHODS + ".");
      return;
    }
    var headers = Collections.list(request.getHeaders("Authorization"));
    var words = headers.isEmpty() ? new String[0] : headers.get(0).strip().split(" +", 2);
    if (words.length < 2 || !words[0].equalsIgnoreCase("Bearer")) {
      response.setHeader("WWW-Authenticate", "Bearer");
      refuse(response, 401, ProblemName.MISSING_API_KEY, "Send an API key.");
      return;
    }
    if (!words[1].equals(key) || headers.size() > 1) {
      response.setHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"");
      refuse(response, 401, ProblemName.INVALID_API_KEY, "Send one API key, which must be valid.");
      return;
    }
    var wrong = wrongParameter(request.getQueryString(), LISTS.getOrDefault(path, Map.of()), id);
    if (wrong == null) chain.doFilter(new Plain(request, path), response);
    else refuse(response, 422, ProblemName.VALIDATION_ERROR, wrong);
  }

  /** A request as Spring should read it: whatever the client accepts, it gets JSON. */
  static class Plain extends HttpServletRequestWrapper {
    private final String path;

    Plain(HttpServletRequest request, String path) {
      super(request);
      this.path = path;
    }

    @Override
    public String getRequestURI() {
      return path;
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
      return name.equalsIgnoreCase("Accept") ? Collections.emptyEnumeration() : super.getHeaders(name);
    }
  }

  /** @return the message of an error, which is bounded: it repeats only the start of what was sent. */
  private static String wrongParameter(String query, Map<String, Rule> rules, String id) {
    if (!id.isEmpty() && !id.matches(ID.pattern)) return "`id` must be " + ID.words + ".";
    var values = new LinkedMultiValueMap<String, String>();
    for (var pair : query == null ? new String[0] : query.split("&")) {
      if (pair.isEmpty()) continue;
      var parts = pair.split("=", 2);
      try {
        values.add(decoded(parts[0]), parts.length < 2 ? "" : decoded(parts[1]));
      } catch (IllegalArgumentException malformed) {
        return "The query `%.100s` is malformed.".formatted(query);
      }
    }
    for (var it : values.entrySet()) {
      var rule = rules.get(it.getKey());
      if (rule == null) return "Unknown parameter `%.100s`.".formatted(it.getKey());
      if (it.getValue().size() != 1 || !it.getValue().get(0).matches(rule.pattern)) {
        return "`%s` must be sent only once, as %s.".formatted(it.getKey(), rule.words);
      }
    }
    var both = values.containsKey("after") && values.containsKey("before");
    return both ? "`after` and `before` cannot be combined. Send only one of them." : null;
  }

  private static String decoded(String text) {
    return UriUtils.decode(text.replace('+', ' '), StandardCharsets.UTF_8);
  }

  private void refuse(HttpServletResponse response, int status, ProblemName name, String message) throws IOException {
    response.setStatus(status);
    response.setContentType("application/json");
    response.getOutputStream().write(mapper.writeValueAsBytes(new Problem(status, name, message)));
  }
}
