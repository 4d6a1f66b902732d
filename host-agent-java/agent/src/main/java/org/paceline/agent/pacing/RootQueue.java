package org.paceline.agent.pacing;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.paceline.agent.enforce.ClassIds;
import org.paceline.agent.posix.Command;
import org.paceline.agent.posix.ScratchNamespace;

/**
 * A root queue discipline that somebody made, and how to make it again. tc does not read all that
 * it prints, so whether it can be made again is tried before anything is replaced.
 *
 * @param arguments as for {@code tc qdisc add dev NAME root}
 */
public record RootQueue(String arguments) {
  private static final Pattern ROOT = Pattern.compile("qdisc (\\S+) (\\w+): root\\b(.*)");
  private static final Pattern PACKETS = Pattern.compile("(\\d+)p");

  /** Those that hold nothing but packets: the classes of others would be lost. */
  private static final Set<String> PLAIN =
      Set.of(
          "pfifo",
          "bfifo",
          "pfifo_fast",
          "fq",
          "fq_codel",
          "codel",
          "cake",
          "sfq",
          "tbf",
          "netem",
          "pie",
          "fq_pie",
          "red",
          "sfb");

  /** What stands at the root; empty for the kernel's own default, and for an agent's. */
  public static Optional<RootQueue> of(String device) throws IOException {
    return parse(Command.run("tc", "qdisc", "show", "dev", device).output());
  }

  static Optional<RootQueue> parse(String printed) {
    for (String line : printed.split("\n", -1)) {
      Matcher root = ROOT.matcher(line);
      // The kernel's own default has handle 0; what somebody made has another.
      if (root.matches()
          && !root.group(2).equals("0")
          && !root.group(2).equals(ClassIds.MAJOR_TEXT)) {
        List<String> words = new ArrayList<>(List.of("handle", root.group(2) + ":", root.group(1)));
        words.addAll(options(root.group(3)));
        return Optional.of(new RootQueue(String.join(" ", words)));
      }
    }
    return Optional.empty();
  }

  private static List<String> options(String printed) {
    List<String> words = new ArrayList<>(Arrays.asList(printed.trim().split("\\s+", -1)));
    int references = words.indexOf("refcnt");
    if (references >= 0) {
      // Counts the device's own queues, and is nothing that can be set.
      words.subList(references, references + 2).clear();
    }
    words.replaceAll(word -> PACKETS.matcher(word).replaceFirst("$1"));
    return words;
  }

  private String kind() {
    return arguments.split(" ", -1)[2];
  }

  /** For a person, as tc names it. */
  public String name() {
    String[] words = arguments.split(" ", -1);
    return words[2] + " " + words[1];
  }

  /** Why it could not be put back; empty where it can. */
  Optional<String> obstacle(String device) throws IOException {
    if (!PLAIN.contains(kind())) {
      return Optional.of("its classes would be lost");
    }
    boolean filters = !Command.run("tc", "filter", "show", "dev", device).output().isBlank();
    boolean children =
        Command.run("tc", "qdisc", "show", "dev", device)
            .output()
            .lines()
            .anyMatch(line -> line.contains(" parent ") && !line.contains(" parent ffff:fff1"));
    if (filters || children) {
      return Optional.of("its filters or inner queues would be lost");
    }
    Command.Outcome tried =
        ScratchNamespace.run(
            "tc qdisc add dev lo root " + arguments + " && tc qdisc show dev lo", "");
    if (!tried.ok()) {
      return Optional.of(tried.output().trim().replace('\n', ' '));
    }
    return parse(tried.output()).equals(Optional.of(this))
        ? Optional.empty()
        : Optional.of("it would come back as " + tried.output().trim());
  }
}
