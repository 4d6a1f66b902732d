package org.paceline.agent.config;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Each key of the agent's two files, with its default. What is read, what a message offers instead
 * of an unknown key, and the reference page all go by this list. The conditions of a rule beyond
 * addresses and ports are {@link org.paceline.agent.naming.Trait}.
 */
public enum ConfigKey {
  CONTROLLER(
      Part.AGENT,
      "controller",
      "HOST or HOST:PORT",
      "required without `peers`",
      "Where the controller hears agents; port 9559 unless given"),
  PEERS(
      Part.AGENT,
      "peers",
      "the keys below",
      Need.NONE,
      "How the hosts of a small network share its links without a controller"),
  HOST_ID(
      Part.AGENT,
      "hostId",
      "1 to 64 letters, digits, `_`, `.`, `:` or `-`",
      Need.REQUIRED,
      "This host's name, unique in the network"),
  RULES(
      Part.AGENT,
      "rules",
      "a file, from this one's directory",
      Need.REQUIRED,
      "The rules by which sockets are named"),
  INTERFACES(
      Part.AGENT,
      "interfaces",
      "auto, or a list of names",
      "auto",
      "On which to pace; auto: all that are up at the start but loopback and the one that leads to the controller"),
  DEFAULT_RATE(
      Part.AGENT,
      "defaultRate",
      Forms.RATE,
      "1mbit",
      "What a conversation without a grant gets; the controller may say another when it welcomes the agent"),
  SAFE_RATE(
      Part.AGENT,
      "safeRate",
      Forms.RATE,
      "10mbit",
      "The most that a conversation gets when no controller was heard for a lease, unless it had more before"),
  NEWCOMERS_RATE(
      Part.AGENT,
      "newcomersRate",
      Forms.RATE,
      "10 times defaultRate",
      "What all senders share between their first packet and a class of their own"),
  PACKETS_AT_ONCE(
      Part.AGENT,
      "packetsAtOnce",
      "auto, or 1 to 16",
      "auto",
      "How many full packets of a TCP socket leave back to back at most; auto: 4 while hundreds of Mbit/s are granted, else 1"),
  SCAN_INTERVAL(
      Part.AGENT,
      "scanInterval",
      Forms.DURATION,
      "500ms",
      "How often the socket table is read in full; new conversations are seen by their first packet and do not wait for it"),
  REPORT_INTERVAL(
      Part.AGENT,
      "reportInterval",
      Forms.DURATION,
      "1s",
      "How often the controller is told what was sent; with `peers` once a second"),
  LINGER(
      Part.AGENT,
      "linger",
      Forms.DURATION,
      "1s",
      "How long a conversation outlives its last socket"),
  ADOPT(
      Part.AGENT,
      "adopt",
      Forms.YES_OR_NO,
      "false",
      "Whether somebody else's root queue discipline may be replaced; it is put back at the end"),
  ENFORCER(
      Part.AGENT,
      "enforcer",
      "auto, edt, htb, socket or none",
      "auto",
      "How to pace: departure times, token buckets, each TCP socket by itself, or not at all; auto: the best that works here"),
  RESTART_GRACE(
      Part.AGENT,
      "restartGrace",
      Forms.DURATION,
      "10s",
      "How long rates stay when the agent is killed, for the next one to take them over"),
  TLS(
      Part.AGENT,
      "tls",
      "the keys below",
      Need.NONE,
      "By what controller and host know each other; without it the line is unencrypted and anybody may answer"),
  METRICS(
      Part.AGENT,
      "metrics",
      "a loopback address and port",
      Need.NONE,
      "Where Prometheus is answered; without it nowhere"),
  APPLICATIONS(
      Part.AGENT,
      "applications",
      "the keys below",
      Need.NONE,
      "What applications may say themselves; without it nothing"),
  SWITCHES(
      Part.SWITCH_AGENT,
      "switches",
      "a list of the keys below",
      Need.REQUIRED,
      "The switches on this machine whose ports the agent divides between elephants and others"),
  BRIDGE(
      Part.BRIDGE,
      "device",
      "`of:` and 16 hexadecimal digits",
      Need.REQUIRED,
      "The switch, as ONOS names it"),
  PORTS(
      Part.BRIDGE,
      "ports",
      "a list of names",
      Need.REQUIRED,
      "The interfaces that are its ports, by the names that ONOS has of them"),
  BUFFER(
      Part.BRIDGE,
      "buffer",
      "1ms to 1s",
      "50ms",
      "How long a port takes to send its full buffer, which is divided as its rate; as long as the longest round trip"
          + " that one connection is to fill the link over"),

  AUTHORITY(
      Part.TLS,
      "authority",
      Forms.FILE,
      Need.REQUIRED,
      "The certificate of who signed the controller's"),
  CERTIFICATE(
      Part.TLS,
      "certificate",
      Forms.FILE,
      Need.REQUIRED,
      "This host's certificate, which names its hostId"),
  KEY(
      Part.TLS,
      "key",
      Forms.FILE,
      Need.REQUIRED,
      "The key that belongs to it; only its owner may read it"),

  SOCKET(
      Part.APPLICATIONS,
      "socket",
      Forms.FILE,
      Need.REQUIRED,
      "The Unix socket that applications connect to"),
  ALLOW(
      Part.APPLICATIONS,
      "allow",
      "a list of the two below",
      Need.NONE,
      "What users other than root may claim"),
  ALLOW_USER(
      Part.ALLOWANCE,
      "user",
      "a name, with `*` and `?`",
      Need.REQUIRED,
      "Who may claim, for sockets of their own"),
  ALLOW_INTENTS(
      Part.ALLOWANCE,
      "intents",
      "a list of intents",
      Need.REQUIRED,
      "What they may claim; each intent with all below it"),

  GROUP_ADDRESS(
      Part.PEERS,
      "group",
      "a multicast address and port",
      "239.255.80.76:9561",
      "By which hosts find each other; the same on all of them"),
  KEY_FILE(
      Part.PEERS,
      "keyFile",
      Forms.FILE,
      Need.REQUIRED,
      "The secret that all of them share, of 32 bytes or more; only its owner may read it"),
  PEERS_INTERFACE(
      Part.PEERS,
      "interface",
      "a name",
      "the first of those that are paced on",
      "The interface that leads to the other hosts"),
  PERIOD(
      Part.PEERS,
      "period",
      "1s to 10s, in whole seconds",
      "2s",
      "How often each host adjusts the shares: the paper's M"),
  SHARPNESS(
      Part.PEERS,
      "B",
      "1 to 50",
      "5",
      "How sharply the price of a link rises with its utilisation"),
  ALPHA(
      Part.PEERS,
      "alpha",
      "0.1 to 10",
      "1",
      "The higher, the fuller the links, and the longer their queues"),
  KAPPA(
      Part.PEERS,
      "kappa",
      "above 0, below 1 / (B + 1)",
      "0.6 / (B + 1)",
      "How far a share moves in one period"),
  BETA(
      Part.PEERS,
      "beta",
      "0.5 to 1",
      "0.95",
      "The part of the capacity that the virtual queue serves"),
  ADAPTIVE(
      Part.PEERS,
      "utilisation",
      "0.5 to 1",
      Need.NONE,
      "The part of the capacity at which an adaptive virtual queue holds the load; without it the virtual queue is fixed"),
  LINKS(
      Part.PEERS,
      "links",
      "a list of 1 to 4 of the keys below",
      Need.REQUIRED,
      "What the hosts share; each has the same names and capacities; one at most is the air"),
  WEIGHTS(
      Part.PEERS,
      "weights",
      "intents, each with a number or a rate",
      "1 for all together",
      "How much all conversations of an intent count together on this host; a rate is what it is to have about when links are full"),
  LINK_NAME(
      Part.LINK,
      "name",
      "1 to 32 letters, digits, `_`, `.` or `-`",
      Need.REQUIRED,
      "The same on all hosts"),
  CAPACITY(
      Part.LINK,
      "capacity",
      Forms.RATE + ", or estimated",
      "required without `air`",
      "What the link carries; estimated: the hosts find out, with `ceiling` and `probe`"),
  CEILING(
      Part.LINK,
      "ceiling",
      Forms.RATE,
      "required where the capacity is estimated",
      "The most that the capacity is taken for"),
  FLOOR(
      Part.LINK,
      "floor",
      Forms.RATE,
      "a tenth of ceiling",
      "The least that an estimated capacity is taken for, and where it begins"),
  PROBE(
      Part.LINK,
      "probe",
      "an address",
      "required where the capacity is estimated",
      "What answers pings just beyond the link: by how much later it answers, a queue at the link shows"),
  AIR(
      Part.LINK,
      "air",
      "basic or rts-cts",
      Need.NONE,
      "In the place of all but `name` and `association`: it is the air of the hosts' access point, 802.11g, and"
          + " whether frames are sent at once or after RTS and CTS"),
  ASSOCIATION(
      Part.LINK,
      "association",
      "auto, wired or a rate from 6mbit up",
      "auto",
      "With `air`: the rate of this host's frames; wired: it is behind the access point; auto: as the interface that"
          + " leads to the other hosts says (nl80211), wired where it is no station of an access point"),
  LINK_DIRECTION(
      Part.LINK,
      "direction",
      "out or in",
      "out",
      "Whether what hosts send goes over it, or what they receive; for that there must be rules with `direction: in`"),
  LINK_ADDRESSES(
      Part.LINK,
      "addresses",
      "an address, a range, or a list of these",
      "all outside the networks of this host's interfaces",
      "The other ends whose traffic goes over it"),

  UNMATCHED(
      Part.RULES,
      "unmatched",
      "manage or ignore",
      "manage",
      "What becomes of traffic that no rule names: conversations under the root's intent, or left alone"),
  ADDRESSES(
      Part.RULES,
      "addresses",
      "names, each with a list of ranges",
      Need.NONE,
      "Sets of addresses that conditions ask for as `\"@name\"`"),
  RULE_LIST(
      Part.RULES,
      "rules",
      "a list of the keys below",
      Need.REQUIRED,
      "The first rule that matches names the socket"),

  INTENT(Part.RULE, "intent", "CLASS/INTENT", "this or ignore", "What a matching socket serves"),
  IGNORE(Part.RULE, "ignore", Forms.YES_OR_NO, "false", "Leave a matching socket alone"),
  MATCH(
      Part.RULE,
      "match",
      "the conditions below",
      "everything",
      "What a socket must be like; all conditions must hold"),
  GROUP(
      Part.RULE,
      "group",
      "address or socket",
      "address",
      "Whether all sockets between two addresses are one conversation, or each is one"),
  DIRECTION(
      Part.RULE,
      "direction",
      "out or in",
      "out",
      "Whether the rule is about what the socket sends or receives"),

  PROTOCOL(Part.MATCH, "protocol", "tcp or udp", Need.NONE, "The transport protocol"),
  LOCAL_PORT(Part.MATCH, "localPort", Forms.PORTS, Need.NONE, "The port on this host"),
  REMOTE_PORT(Part.MATCH, "remotePort", Forms.PORTS, Need.NONE, "The port at the other end"),
  LOCAL_ADDRESS(Part.MATCH, "localAddress", Forms.ADDRESSES, Need.NONE, "The address on this host"),
  REMOTE_ADDRESS(
      Part.MATCH, "remoteAddress", Forms.ADDRESSES, Need.NONE, "The address at the other end");

  /** Which mapping of which file a key stands in. */
  public enum Part {
    /** Of agent.yaml, as all down to {@link #LINK}. */
    AGENT,
    TLS,
    APPLICATIONS,
    ALLOWANCE,
    PEERS,
    LINK,
    /** Of an agent.yaml that makes the agent a switch's. */
    SWITCH_AGENT,
    BRIDGE,
    /** Of the rules file, as all that follow. */
    RULES,
    RULE,
    MATCH
  }

  /** What stands in the place of a default where there is none. */
  public static final class Need {
    /** The key must be there. */
    public static final String REQUIRED = "required";

    /** The key may be left out, and then nothing stands for it. */
    public static final String NONE = "";

    private Need() {}
  }

  private static final class Forms {
    static final String RATE = "a rate from 8kbit up, such as 500kbit";
    static final String DURATION = "a time from 10ms up, in ms or s";
    static final String YES_OR_NO = "true or false";
    static final String FILE = "a file, from this one's directory";
    static final String PORTS = "ports and ranges of them";
    static final String ADDRESSES = "an address, a range, `\"@name\"`, or a list of these";

    private Forms() {}
  }

  private final Part part;
  private final String key;
  private final String takes;
  private final String byDefault;
  private final String meaning;

  ConfigKey(Part part, String key, String takes, String byDefault, String meaning) {
    this.part = part;
    this.key = key;
    this.takes = takes;
    this.byDefault = byDefault;
    this.meaning = meaning;
  }

  /** As the file writes it. */
  public String key() {
    return key;
  }

  /** For people: what it may be. */
  public String takes() {
    return takes;
  }

  /** What holds where the file does not say; of {@link Need} where nothing does. */
  public String byDefault() {
    return byDefault;
  }

  /** For people: what it is for. */
  public String meaning() {
    return meaning;
  }

  public static List<ConfigKey> of(Part part) {
    return Arrays.stream(values()).filter(key -> key.part == part).toList();
  }

  /** All keys of a mapping, for messages. */
  static String names(Part part) {
    return of(part).stream().map(ConfigKey::key).collect(Collectors.joining(", "));
  }
}
