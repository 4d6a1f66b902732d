package org.paceline.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.paceline.control.audit.Role;
import org.paceline.control.experience.LearnedCell;
import org.paceline.control.experience.LearnedTable;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.catalogue.NamedTables;
import org.paceline.northbound.rest.document.DocumentResource;
import org.paceline.northbound.rest.document.OpenApi;
import org.paceline.northbound.rest.request.Operation;

/** Every operation by every kind of user, on a branch of the tree that is theirs and on another. */
final class AuthorisationTest {
  private static final String MINE = "web-browsing";
  private static final String OTHER = "voip";
  private static final int FORBIDDEN = 403;

  /** In the order in which each office gets a reservation for them. */
  private static final List<String> RESERVED = List.of(MINE, OTHER);

  private static final Set<String> BRANCH = Set.of("viewer", "operator:" + MINE);
  private static final List<Set<String>> USERS =
      List.of(
          Set.of(),
          Set.of("manager"),
          Set.of("operator:" + MINE),
          Set.of("viewer"),
          BRANCH,
          Set.of("operator"),
          Set.of("admin"));

  private static final String REQUEST =
      "{\"intent\":\"%s\",\"from\":\"10.0.0.1\",\"to\":\"10.0.0.2\",\"rateKbps\":100,"
          + "\"durationSeconds\":3600}";

  /** What is about a trial, which somebody else has begun on that branch. */
  private static final Set<String> TRIED = Set.of("POST policy/confirm", "POST policy/rollback");

  /** What is about a function that only this branch names. */
  private static final String LEARNED = "PUT learned-tables/{function}/drafts/{name}";

  /** For each method of the resources: what to send, where %s is a branch. */
  private static final Map<String, String[]> REQUESTS = new LinkedHashMap<>();

  static {
    for (String path :
        List.of(
            "state",
            "conversations",
            "intents",
            "policy",
            "policy/versions",
            "policy/file",
            "policy/drafts",
            "changes",
            "plan",
            "links",
            "agents",
            "switches",
            "elephants",
            "alarms",
            "metrics",
            "classes",
            "ledger",
            "reservations",
            "reservations/calendar",
            "webhooks",
            "enrolment-tokens",
            "agent-certificates",
            "settings",
            "ceilings",
            "learned-tables",
            "naming-rules",
            "naming-rules/file",
            "operations",
            "openapi.json",
            "reference")) {
      REQUESTS.put("GET " + path, new String[] {path, ""});
    }
    REQUESTS.put("GET conversations/{host}/{id}", new String[] {"conversations/h1/%s", ""});
    REQUESTS.put("GET explain/{host}/{id}", new String[] {"explain/h1/%s", ""});
    REQUESTS.put("GET policy/versions/{number}", new String[] {"policy/versions/1", ""});
    REQUESTS.put("GET policy/drafts/{name}", new String[] {"policy/drafts/%s", ""});
    REQUESTS.put(
        "GET policy/drafts/{name}/difference", new String[] {"policy/drafts/%s/difference", ""});
    REQUESTS.put("GET operations/{operation}", new String[] {"operations/x", ""});
    REQUESTS.put("GET changes/{number}", new String[] {"changes/1", ""});
    REQUESTS.put(
        "POST conversations",
        new String[] {
          "conversations",
          "{\"id\":\"new\",\"intent\":\"%s\",\"localAddress\":\"10.0.0.1\","
              + "\"remoteAddress\":\"10.0.0.2\"}"
        });
    REQUESTS.put(
        "DELETE conversations/{host}/{id}", new String[] {"conversations/announced/%s", ""});
    REQUESTS.put("PUT intents", new String[] {"intents", "tree"});
    REQUESTS.put("PUT intents/{path}", new String[] {"intents/%s", "{\"priority\":7}"});
    REQUESTS.put("GET intents/{path}", new String[] {"intents/%s", ""});
    REQUESTS.put("PATCH intents/{path}", new String[] {"intents/%s", "{\"priority\":7}"});
    REQUESTS.put("DELETE intents/{path}", new String[] {"intents/%s", ""});
    REQUESTS.put("PUT policy/file", new String[] {"policy/file", "tree"});
    REQUESTS.put("POST policy/confirm", new String[] {"policy/confirm", "{}"});
    REQUESTS.put("POST policy/rollback", new String[] {"policy/rollback", "{}"});
    REQUESTS.put("PUT policy/drafts/{name}", new String[] {"policy/drafts/new", "tree"});
    REQUESTS.put(LEARNED, new String[] {"learned-tables/desktop/drafts/new", ""});
    REQUESTS.put("DELETE policy/drafts/{name}", new String[] {"policy/drafts/%s", ""});
    REQUESTS.put(
        "POST policy/drafts/{name}/commit", new String[] {"policy/drafts/%s/commit", "{}"});
    REQUESTS.put("POST whatif", new String[] {"whatif", "tree"});
    REQUESTS.put("POST solve", new String[] {"solve", SolveRestTest.PROBLEM});
    REQUESTS.put("POST solve/present", new String[] {"solve/present", "{}"});
    REQUESTS.put("GET ceilings/{branch}", new String[] {"ceilings/%s", ""});
    REQUESTS.put("PUT ceilings/{branch}", new String[] {"ceilings/%s", "{\"priority\":9}"});
    REQUESTS.put("DELETE ceilings/{branch}", new String[] {"ceilings/%s", ""});
    REQUESTS.put("PUT naming-rules", new String[] {"naming-rules", "{\"rules\":[]}"});
    REQUESTS.put(
        "PUT naming-rules/macs/{list}", new String[] {"naming-rules/macs/phones", "00:1b:54"});
    REQUESTS.put("GET webhooks/{webhook}", new String[] {"webhooks/x", ""});
    REQUESTS.put("DELETE webhooks/{webhook}", new String[] {"webhooks/x", ""});
    REQUESTS.put("POST enrolment-tokens", new String[] {"enrolment-tokens", "{\"host\":\"h9\"}"});
    REQUESTS.put("DELETE agent-certificates/{host}", new String[] {"agent-certificates/h9", ""});
    REQUESTS.put("DELETE enrolment-tokens/{token}", new String[] {"enrolment-tokens/x", ""});
    REQUESTS.put("GET settings/{setting}", new String[] {"settings/mode", ""});
    REQUESTS.put(
        "PUT settings/{setting}", new String[] {"settings/mode", "{\"value\":\"shadow\"}"});
    REQUESTS.put("DELETE settings/{setting}", new String[] {"settings/mode", ""});
    REQUESTS.put("POST webhooks", new String[] {"webhooks", "{}"});
    REQUESTS.put("POST reservations", new String[] {"reservations", REQUEST});
    REQUESTS.put("POST reservations/ask", new String[] {"reservations/ask", REQUEST});
    REQUESTS.put(
        "POST reservations/boost",
        new String[] {
          "reservations/boost",
          "{\"conversation\":\"h1/%s\",\"rateKbps\":100,\"durationSeconds\":60}"
        });
    REQUESTS.put("GET reservations/{reservation}", new String[] {"reservations/%r", ""});
    REQUESTS.put("DELETE reservations/{reservation}", new String[] {"reservations/%r", ""});
    REQUESTS.put(
        "POST reservations/{reservation}/commit", new String[] {"reservations/%r/commit", "{}"});
  }

  private static final List<LearnedCell> CELLS = List.of(LearnedCell.of(1, 1, 40, 1.5, 4.0));

  /** Of those that take no JSON. */
  private static final Map<String, Map<String, String>> TYPES =
      Map.of(
          "PUT policy/file",
          Map.of("Content-Type", "application/yaml"),
          "PUT naming-rules/macs/{list}",
          Map.of("Content-Type", "text/csv"));

  /** One for as many requests as leave it as it was: those that only read, and those refused. */
  private final Office office = new Office();

  @AfterEach
  void close() {
    office.close();
  }

  @Test
  void everyoneMayDoWhatTheirRoleSaysAndNothingElse() throws InterruptedException {
    Set<String> tried = new TreeSet<>();
    for (Class<?> resource : DocumentResource.RESOURCES) {
      for (Method method : resource.getMethods()) {
        if (OpenApi.verb(method).isPresent()) {
          String name =
              OpenApi.verb(method).get() + " " + OpenApi.address(method).replaceFirst("^v1/", "");
          tried.add(name);
          assertThat(REQUESTS).as("a request for each operation").containsKey(name);
          for (Set<String> user : USERS) {
            for (String branch : List.of(MINE, OTHER)) {
              check(name, method.getAnnotation(Operation.class).needs(), user, branch);
            }
          }
        }
      }
    }
    assertThat(tried).hasSameElementsAs(REQUESTS.keySet());
  }

  @Test
  void theWholeTreeIsForThoseWhoMayChangeEveryNodeThatDiffers() throws InterruptedException {
    office.open();
    RestClient rest = office.rest();
    String both = rest.tree(MINE, 9).replace("\"class\":\"voip\"", "\"class\":\"calls\"");
    assertThat(rest.send("PUT", "intents", both, BRANCH, Map.of()).status).isEqualTo(FORBIDDEN);
  }

  @Test
  void aDraftInWhichNothingDiffersIsForThoseWhoMayChangeSomething() throws InterruptedException {
    office.open();
    RestClient rest = office.rest();
    String same = rest.get("intents").text;
    assertThat(keep(rest, same, Set.of("viewer"))).isEqualTo(FORBIDDEN);
    assertThat(keep(rest, same, BRANCH)).isEqualTo(200);
    assertThat(rest.send("DELETE", "policy/drafts/d", "", Set.of("viewer"), Map.of()).status)
        .isEqualTo(FORBIDDEN);
  }

  private static int keep(RestClient rest, String tree, Set<String> user) {
    return rest.send("PUT", "policy/drafts/d", tree, user, Map.of()).status;
  }

  private void check(String name, Role needs, Set<String> user, String branch)
      throws InterruptedException {
    String[] request = REQUESTS.getOrDefault(name, new String[0]);
    boolean prepares = request[0].contains("%r") || TRIED.contains(name) || name.equals(LEARNED);
    if (prepares) {
      office.close();
    }
    office.open();
    RestClient rest = office.rest();
    if (request[0].contains("%r")) {
      RESERVED.forEach(each -> rest.send("POST", "reservations", format(REQUEST, each)));
    }
    if (TRIED.contains(name)) {
      rest.send("POST", "policy/drafts/" + branch + "/commit", "{\"confirmWithinSeconds\":600}");
    }
    if (name.equals(LEARNED)) {
      rest.send("PATCH", "intents/" + branch, "{\"utilityFunction\":\"desktop\"}");
      UtilityFunction desktop = Objects.requireNonNull(NamedTables.all().get("desktop"));
      office.paceline().learned(LearnedTable.of(desktop, Instant.EPOCH, CELLS));
    }
    String body = request[1].equals("tree") ? rest.tree(branch, 9) : format(request[1], branch);
    Map<String, String> type = TYPES.getOrDefault(name, Map.of());
    int before = office.paceline().log().size();
    String verb = name.substring(0, name.indexOf(' '));
    RestClient.Answer answer = rest.send(verb, format(request[0], branch), body, user, type);
    boolean allowed = mayDo(needs, user, branch);
    assertThat(answer.status == FORBIDDEN)
        .as("%s by %s on %s: %s", name, user, branch, answer)
        .isEqualTo(!allowed);
    if (!allowed) {
      assertThat(office.paceline().log()).hasSize(before);
    }
    if (prepares || allowed && !verb.equals("GET")) {
      office.close();
    }
  }

  /** Said once more and by hand, so that a slip in the code shows. */
  private static boolean mayDo(Role needs, Set<String> user, String branch) {
    boolean operates = user.contains("operator") || user.contains("admin");
    switch (needs) {
      case VIEWER:
        return operates || user.contains("viewer");
      case BRANCH:
        return operates || (user.equals(BRANCH) && branch.equals(MINE));
      case OPERATOR:
        return operates;
      default:
        return user.contains("admin");
    }
  }

  /** An application with a conversation, an announced one and a draft on each branch. */
  private static final class Office {
    private Optional<SmallPaceline> running = Optional.empty();
    private Optional<RestClient> client = Optional.empty();

    /** Does nothing where it is open. */
    void open() throws InterruptedException {
      if (running.isPresent()) {
        return;
      }
      SmallPaceline paceline = new SmallPaceline();
      running = Optional.of(paceline);
      RestClient rest = new RestClient(paceline);
      client = Optional.of(rest);
      for (String branch : List.of(MINE, OTHER)) {
        paceline.talk(branch, branch);
        paceline.talk(ConversationId.of("announced", branch), branch);
        rest.send("PUT", "policy/drafts/" + branch, rest.tree(branch, 9));
      }
      paceline.settle();
    }

    SmallPaceline paceline() {
      return running.orElseThrow();
    }

    RestClient rest() {
      return client.orElseThrow();
    }

    void close() {
      running.ifPresent(SmallPaceline::close);
      running = Optional.empty();
    }
  }

  private static String format(String text, String branch) {
    return text.replace("%s", branch)
        .replace("%r", String.format("r%06d", RESERVED.indexOf(branch) + 1));
  }
}
