package org.paceline.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The table of what one caller may take says the numbers of the code. They are read from the
 * sources, since most are nobody's business but their class's.
 */
class BoundsPageTest {
  private static final Path ROOT = Path.of("../..");
  private static final Path PAGE = ROOT.resolve("docs/operate/security.md");

  private static final String GATEWAY = "app/gateway/src/main/java/org/paceline/gateway/";
  private static final String CONTROL = "app/control/src/main/java/org/paceline/control/";
  private static final String NORTHBOUND =
      "app/northbound/src/main/java/org/paceline/northbound/rest/request/";
  private static final String AGENT = "host-agent-java/agent/src/main/java/org/paceline/agent/";
  private static final String STREAM =
      "yang/src/main/java/org/paceline/yang/restconf/message/EventStream";

  /**
   * @param door the first cell of its row, or how that begins
   * @param says what stands in the row, with # for each number
   * @param source without .java
   * @param constants one for each #
   */
  record Bound(String door, String says, String source, List<String> constants) {
    static Bound of(String door, String says, String source, String... constants) {
      return new Bound(door, says, source, List.of(constants));
    }

    @Override
    public String toString() {
      return door + ": " + says;
    }
  }

  static Stream<Bound> bounds() {
    return Stream.of(
        Bound.of("agents, messages", "# at once", GATEWAY + "flood/MessageRate", "BURST"),
        Bound.of("agents, messages", "then # a second", GATEWAY + "flood/MessageRate", "A_SECOND"),
        Bound.of("agents, what is not read", "# messages", GATEWAY + "AgentLine", "MOST_UNREAD"),
        Bound.of(
            "agents, conversations", "# a host", GATEWAY + "AgentBounds", "MOST_CONVERSATIONS"),
        Bound.of(
            "all agents together, streams; hosts",
            "# at most and which say who they are within # s",
            GATEWAY + "AgentServer",
            "MOST_CALLS",
            "SILENCE"),
        Bound.of(
            "all agents together, streams; hosts",
            "| #, of which",
            GATEWAY + "SharedBounds",
            "MOST_STREAMS"),
        Bound.of(
            "all agents together, streams; hosts", "; # |", GATEWAY + "SharedBounds", "MOST_HOSTS"),
        Bound.of(
            "all agents together, conversations",
            "# beside the first # of each host",
            GATEWAY + "SharedBounds",
            "MOST_CONVERSATIONS",
            "OWN_CONVERSATIONS"),
        Bound.of(
            "all agents together, messages",
            "# a second beside # of each agent (# at once)",
            GATEWAY + "SharedBounds",
            "MESSAGES_A_SECOND",
            "OWN_MESSAGES_A_SECOND",
            "OWN_MESSAGES_AT_ONCE"),
        Bound.of(
            "agents, a `Hello`",
            "# addresses, # ports, # intents, # peers",
            GATEWAY + "AgentBounds",
            "MOST_ADDRESSES",
            "MOST_PORTS",
            "MOST_INTENTS",
            "MOST_PEERS"),
        Bound.of(
            "agents, intents that the tree does not have",
            "# are told",
            GATEWAY + "AgentAdmission",
            "MOST_TOLD"),
        Bound.of(
            "agents, names and texts",
            "ids and intents # characters; processes, users, names #",
            GATEWAY + "AgentBounds",
            "LONGEST_NAME",
            "LONGEST_TEXT"),
        Bound.of(
            "agents, KPIs of a conversation",
            "#, with names of # characters",
            GATEWAY + "Translation",
            "MOST_KPIS",
            "LONGEST_KPI"),
        Bound.of(
            "answers under an `Idempotency-Key`",
            "# a user, of # characters together",
            NORTHBOUND + "KeptAnswers",
            "MOST_OF_ONE",
            "MOST_CHARACTERS_OF_ONE"),
        Bound.of(
            "RESTCONF, who listens to a stream",
            "# a stream; its last # events",
            STREAM,
            "MOST_LISTENERS",
            "KEPT"),
        Bound.of(
            "work that goes on",
            "# changes and # questions at once, # of each user; # kept, for # h",
            CONTROL + "operations/Operations",
            "MOST_RUNNING",
            "MOST_RUNNING",
            "MOST_RUNNING_OF_ONE",
            "MOST_KEPT",
            "KEPT"),
        Bound.of(
            "what is reckoned beside the plan",
            "# at once, 1 of each user, each on one processor; # wait, # of each, for # s",
            CONTROL + "operations/Turns",
            "SERVED_AT_ONCE",
            "MOST_WAITING",
            "MOST_WAITING_OF_ONE",
            "PATIENCE"),
        Bound.of(
            "the same, in a processor's time",
            "# s at once",
            CONTROL + "operations/Turns",
            "AT_ONCE"),
        Bound.of(
            "a problem to solve",
            "# applications, # minutes",
            CONTROL + "explain/TrialSolver",
            "MOST_APPLICATIONS",
            "GREATEST_LIMIT"),
        Bound.of(
            "a problem to solve",
            "# applications by `milp`",
            CONTROL + "scheme/utility/CheckedMilp",
            "MOST_COPIES"),
        Bound.of(
            "hosts that enrol or renew",
            "# at once; requests of # bytes",
            GATEWAY + "EnrolmentEndpoint",
            "MOST_AT_ONCE",
            "LONGEST_REQUEST"),
        Bound.of("enrolment tokens", "| #;", CONTROL + "enrolment/EnrolmentTokens", "MOST"),
        Bound.of(
            "enrolment tokens",
            "# addresses and # days",
            CONTROL + "enrolment/EnrolmentToken",
            "MOST_ADDRESSES",
            "LONGEST_LIFE"),
        Bound.of(
            "a host's program at its agent",
            "# connections, of each user but root #",
            AGENT + "application/Connections",
            "MOST",
            "MOST_OF_A_USER"),
        Bound.of(
            "a host's program at its agent",
            "# claims and # KPIs a connection",
            AGENT + "application/Claims",
            "MOST",
            "MOST_KPIS"),
        Bound.of("peers of a host", "| # |", AGENT + "smallnetwork/Members", "MOST"));
  }

  @ParameterizedTest
  @MethodSource("bounds")
  void thePageSaysTheNumbersOfTheCode(Bound bound) throws IOException {
    String source = Files.readString(ROOT.resolve(bound.source() + ".java"));
    String says = bound.says();
    for (String constant : bound.constants()) {
      says = says.replaceFirst("#", number(source, constant));
    }
    assertThat(row(bound.door())).contains(says);
  }

  private static String row(String door) throws IOException {
    List<String> rows =
        Files.readAllLines(PAGE).stream().filter(line -> line.startsWith("| " + door)).toList();
    assertThat(rows).as(door).isNotEmpty();
    return rows.get(0);
  }

  /** As the page writes it; of a time how many of the unit that it is given in. */
  private static String number(String source, String constant) {
    Matcher found =
        Pattern.compile("\\b" + constant + " =\\s+(?:Duration\\.of\\w+\\()?([0-9_]+)\\)?;")
            .matcher(source);
    assertThat(found.find()).as("a number that is called (%s)", constant).isTrue();
    return String.format(Locale.ROOT, "%,d", Long.parseLong(found.group(1).replace("_", "")));
  }
}
