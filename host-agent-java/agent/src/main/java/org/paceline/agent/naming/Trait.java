package org.paceline.agent.naming;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.paceline.intents.unit.Dscp;

/**
 * What a rule can ask of a socket beyond the addresses and ports that are in each of its packets.
 * Each is a text, or several, and what is asked for a pattern that one of them must match.
 */
public enum Trait {
  PROCESS(
      "process",
      "Its name or the path of its program",
      Glob::parse,
      f -> List.of(f.owner().name(), f.owner().executable())),
  USER("user", "Who owns the socket", Glob::parse, f -> List.of(f.owner().user())),
  CGROUP("cgroup", "The path of its control group", Glob::parse, f -> List.of(f.owner().cgroup())),
  UNIT(
      "unit",
      "The systemd unit that the process runs in, or one around it; without a kind it is a service:"
          + " `nginx`, `batch.slice`, `user@1000.service`",
      Trait::unit,
      f -> cgroup(f).units()),
  CONTAINER(
      "container",
      "The beginning of its id (docker, podman, containerd, CRI-O) or its name (lxc,"
          + " systemd-nspawn), as the path of the control group has it: names that docker and podman"
          + " give are not in it",
      Trait::container,
      f -> cgroup(f).container().stream().toList()),
  REMOTE_NAME(
      "remoteName",
      "The name by which the destination was asked for, such as `www.example.com` or"
          + " `\"*.example.com\"` (which is not `example.com` itself)",
      Trait::remoteName,
      f -> f.remoteName().map(RemoteName::all).orElse(List.of())),
  DSCP(
      "dscp",
      "How the socket marks its packets: EF, AF41, CS1 and their like, or a number from 0 to 63;"
          + " looked at when it is named and again after 1, 2, 4 and up to 64 seconds. What is"
          + " changed later, or for single datagrams, is not seen",
      text -> new Glob(Dscp.text(Dscp.parse(text))),
      f -> f.dscp().map(Dscp::text).stream().toList());

  private static final Pattern UNIT_KIND =
      Pattern.compile(".*([*?]|\\.(service|scope|slice|socket|mount))");

  private static final Pattern NAME = Pattern.compile("[a-z0-9_*?][a-z0-9_.*?-]{0,252}");
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]*");

  private final String key;
  private final String meaning;
  private final Function<String, Glob> parse;
  private final Function<SocketFacts, List<String>> values;

  Trait(
      String key,
      String meaning,
      Function<String, Glob> parse,
      Function<SocketFacts, List<String>> values) {
    this.key = key;
    this.meaning = meaning;
    this.parse = parse;
    this.values = values;
  }

  /** As a rules file writes it. */
  public String key() {
    return key;
  }

  /** For people: what it asks for. */
  public String meaning() {
    return meaning;
  }

  /** All keys, for messages. */
  public static String keys() {
    return Stream.of(values()).map(Trait::key).collect(Collectors.joining(", "));
  }

  /**
   * @throws IllegalArgumentException where nothing could match this
   */
  public Glob parse(String text) {
    return parse.apply(text);
  }

  /** Whether the process has to be found for it. */
  boolean isOfOwner() {
    return this != REMOTE_NAME && this != DSCP;
  }

  /** What the socket has; empty where it is not known. */
  public List<String> of(SocketFacts facts) {
    return values.apply(facts).stream().filter(value -> !value.isEmpty()).toList();
  }

  /** The same for a person. */
  public String text(SocketFacts facts) {
    String text = String.join(", ", of(facts));
    return this == REMOTE_NAME
        ? facts.remoteName().map(name -> text + " (" + name.source() + ")").orElse("")
        : text;
  }

  boolean matches(Glob wanted, SocketFacts facts) {
    for (String value : values.apply(facts)) {
      if (wanted.matches(value)) {
        return true;
      }
    }
    return false;
  }

  private static CgroupPath cgroup(SocketFacts facts) {
    return new CgroupPath(facts.owner().cgroup());
  }

  /** As with systemctl, a service need not say so. */
  private static Glob unit(String text) {
    Glob glob = Glob.parse(text);
    return UNIT_KIND.matcher(text).matches() ? glob : new Glob(text + ".service");
  }

  /** Ids are long: their beginning will do. */
  private static Glob container(String text) {
    Glob glob = Glob.parse(text);
    return text.contains("*") || text.contains("?") ? glob : new Glob(text + "*");
  }

  /** As names are heard: in lower case, without the dot at the end that may be written. */
  private static Glob remoteName(String text) {
    String name = text.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
    if (!NAME.matcher(name).matches() || ADDRESS.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "The remoteName ("
              + text
              + ") is no name of a host. Maybe you meant something like www.example.com or"
              + " *.example.com, or (remoteAddress).");
    }
    return Glob.parse(name);
  }
}
