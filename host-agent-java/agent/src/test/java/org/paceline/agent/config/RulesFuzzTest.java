package org.paceline.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Whatever stands in a rules file: it is read, or refused with a message that names its place. */
class RulesFuzzTest {
  private static final String SOUND =
      """
      unmatched: manage
      addresses: {dc: [10.1.0.0/16, "2001:db8::/32"], office: 192.0.2.0/24}
      rules:
        - intent: web-browsing/science_lab
          match: {protocol: tcp, localPort: "80, 8000-8010", localAddress: 10.0.0.0/8}
        - intent: backup/nightly
          match: {protocol: udp, process: "/usr/bin/rsync*", remoteAddress: "fd00::/8"}
          group: socket
        - ignore: true
          match: {user: root, cgroup: "*.slice"}
        - intent: a/b
          match: {unit: "nginx*", container: 3f2a, remoteName: "*.a.b", dscp: AF41, remoteAddress: ["@dc", "@office", 10.9.0.0/16]}
      """;
  // One for all: making and deleting twenty thousand would be most of the work.
  private static final Path FUZZED = temporary();
  private static final String CHARACTERS = "abz09 :-,*?&!|>%@{}[]()'\"\\/.#\n\t\u0000\u00e9\u2028";

  private static final List<String> PIECES =
      List.of(
          "rules",
          ":",
          " ",
          "\n",
          "- ",
          "intent",
          "a/b",
          "match",
          "{",
          "}",
          "[",
          "]",
          "localPort",
          "80",
          "&x",
          "*x",
          "\"",
          "'",
          "\t",
          "!!",
          "group",
          "socket",
          ",",
          "ignore",
          "true",
          "addresses",
          "@x",
          "remoteAddress",
          "10.0.0.0/8",
          "unit",
          "remoteName",
          "*.a.b",
          "dscp",
          "EF",
          "container",
          "\0");
  private static final List<String> CONDITIONS =
      List.of(
          "protocol: tcp",
          "localPort: \"80, 8000-8010\"",
          "remotePort: 53",
          "localAddress: 10.0.0.0/8",
          "remoteAddress: [\"10.9.0.0/16\", \"fd00::/8\"]",
          "remoteName: \"*.a.b\"",
          "dscp: EF",
          "process: \"/usr/bin/*\"",
          "user: root",
          "unit: nginx",
          "container: 3f2a",
          "cgroup: \"*.slice\"",
          "remoteAddress: \"@x\"",
          "remotePort: 99999",
          "dscp: []",
          "port: 80",
          "user: ''");

  private static Path temporary() {
    try {
      Path file = Files.createTempFile("rules", ".yaml");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Property(tries = 500, seed = "20")
  void anyTextIsReadOrRefusedWithAMessage(@ForAll("texts") String text) throws Exception {
    assertReadOrRefused(text);
  }

  @Property(tries = 1_000, seed = "20")
  void anyFileOfRulesMadeOfPiecesIsReadOrRefusedWithAMessage(@ForAll("files") String text)
      throws Exception {
    assertReadOrRefused(text);
  }

  @Property(tries = 1_000, seed = "20")
  void aSoundRulesFileWithSomeCharactersChangedIsReadOrRefusedWithAMessage(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int changes) throws Exception {
    StringBuilder text = new StringBuilder(SOUND);
    Random random = new Random(seed);
    for (int i = 0; i < changes; i++) {
      char other = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
      text.setCharAt(random.nextInt(text.length()), other);
    }
    assertReadOrRefused(text.toString());
  }

  @Property(tries = 10_000, seed = "20")
  @Tag("long")
  void soAreTenThousandTexts(@ForAll("texts") String text) throws Exception {
    assertReadOrRefused(text);
  }

  @Property(tries = 10_000, seed = "20")
  @Tag("long")
  void soAreTenThousandFilesMadeOfPieces(@ForAll("files") String text) throws Exception {
    assertReadOrRefused(text);
  }

  @Property(tries = 10_000, seed = "20")
  @Tag("long")
  void soAreTenThousandSoundFilesThatWereChanged(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int changes) throws Exception {
    aSoundRulesFileWithSomeCharactersChangedIsReadOrRefusedWithAMessage(seed, changes);
  }

  private static void assertReadOrRefused(String text) throws Exception {
    try {
      Files.writeString(FUZZED, text);
      assertThat(RulesReader.read(FUZZED).rules()).isNotNull();
    } catch (FaultyFile e) {
      assertThat(e.faults()).isNotEmpty().allMatch(fault -> fault.contains(FUZZED.toString()));
    }
  }

  @Test
  void whatIsChangedIsSoundItself() throws Exception {
    assertThat(RulesReader.read(Files.writeString(FUZZED, SOUND)).rules()).hasSize(4);
  }

  /** Files with the form of rules, their values right or wrong, and sometimes a piece between. */
  @Provide
  Arbitrary<String> files() {
    Arbitrary<String> piece = Arbitraries.of(PIECES);
    Arbitrary<String> nothing = Arbitraries.just("");
    Arbitrary<String> seldom = Arbitraries.frequencyOf(Tuple.of(40, nothing), Tuple.of(1, piece));
    Arbitrary<String> condition =
        Combinators.combine(Arbitraries.of(CONDITIONS), seldom).as((one, between) -> one + between);
    Arbitrary<String> rule =
        Combinators.combine(
                Arbitraries.of(
                    "intent: a/b", "intent: c", "ignore: true", "intent: d/e/f", "intent: 7 8"),
                condition.list().uniqueElements(c -> c.split(":", 2)[0]).ofMaxSize(3),
                Arbitraries.of("", "    group: socket\n", "    direction: in\n"),
                seldom)
            .as(
                (what, match, more, between) ->
                    "  - %s\n    match: {%s}\n%s%s"
                        .formatted(what, String.join(", ", match), more, between));
    return Combinators.combine(
            Arbitraries.of("", "unmatched: manage\n", "unmatched: ignore\n"),
            Arbitraries.of("", "addresses: {x: [10.1.0.0/16, \"2001:db8::/32\"]}\n"),
            rule.list().ofMinSize(1).ofMaxSize(4))
        .as((unmatched, sets, rules) -> unmatched + sets + "rules:\n" + String.join("", rules));
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.of(PIECES).list().ofMaxSize(25).map(parts -> String.join("", parts));
  }
}
