package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;
import org.paceline.intents.kpi.LikelyCause;
import org.paceline.intents.network.LinkId;

/** Something that is not as it should be and could not be put right. */
@AutoValue
public abstract class Alarm {
  /** What can be wrong. */
  public enum Kind {
    /** An enforcer does not hold what was told it. */
    DRIFT(
        "drift",
        "What an agent or a switch holds for a conversation is not as wanted, or cannot be read,"
            + " for 5 s, though it was written again",
        "it is read back as wanted, or the conversation ends",
        "See what else writes there: paceline:proof names the element, what was wanted and what"
            + " was found"),
    /** An enforcer holds it and more passes. */
    OVERUSE(
        "overuse",
        "A conversation sends more than its enforcer says that it lets through, in three reports"
            + " in a row",
        "a report shows no more than is installed",
        "See by which interface its packets leave: one that the agent does not manage"),
    /** An agent speaks for an address that is not its host's. */
    FOREIGN_ADDRESS(
        "foreign-address",
        "An agent announces conversations of an address that is not its host's: another agent's, one"
            + " that the network sees elsewhere, or one that its certificate does not name. They get"
            + " no rate, no rule and no meter",
        "it announces none any more, or the address counts as its host's",
        "Find out what that host does. Where it is in the right, as one with several interfaces, say"
            + " so by its certificate or by hosts/ID/paceline/agents"),
    /** An agent does not keep to its rates. */
    QUARANTINE(
        "quarantine",
        "An agent has said for 15 s that it holds more than it was told, or has not answered for 15 s"
            + " that it is to hold less. Its host's conversations are metered at their first switches,"
            + " at their grants; those that no switch can meter are unserved",
        "it has kept to its rates for 60 s; each time that it comes again soon twice as long, at most"
            + " an hour",
        "Restart the agent, or see what else changes the queues of its host; where it is neither,"
            + " find out what runs there"),
    /** An agent will not be let in any more before long. */
    CERTIFICATE(
        "certificate",
        "The certificate that an attached agent shows ends within 20 days, and no later one was"
            + " signed for its host: agents that have enrolled renew theirs when 30 days are left",
        "a later one is signed, the agent comes with another one, or it is gone",
        "See on the host what the agent says of (tls). A certificate of tools/certificates or of your"
            + " own authority is not renewed by itself: lay a new one over it, and restart the agent"),
    /** A host went by its peers for a while, and not by the plan. */
    PEERS_DECIDED(
        "peers-decided",
        "An agent attaches that had shared its links with its peers for a minute or longer, by the"
            + " clock of its host, because it reached no controller: no grant held there meanwhile",
        "it has been attached for ten minutes, or is gone",
        "See in the agent's log why it reached none. Where the alarm says that it heard no peer though"
            + " there are some, compare their keys, and see whether multicast passes between them"),
    /** A user thinks less of it than was predicted. */
    EXPERIENCE(
        "experience",
        "By the KPIs that its application reports, a user experiences more than 0.5 less than was"
            + " predicted for both directions, for experienceAlarmSeconds and in each report; the"
            + " alarm names the likely cause",
        "a report is at most 0.3 below what was predicted, or there is none for kpiLifeSeconds",
        "demand-below-grant: see what keeps the application from sending; far-end-slow: see what"
            + " keeps the host at the other end; delay-above-budget: see which link queues, in"
            + " paceline:links; table-wrong: measure the intent's utility function anew"),
    /** A utility function promises something else than users experience. */
    TABLE_DRIFT(
        "table-drift",
        "What applications report under a cell of a utility function, ten reports or more, is by all"
            + " of its 95 % confidence interval more than 0.25 away from what the function promises",
        "further reports are nearer, or no intent names that function any more",
        "See paceline:learned: it shows the cells, and with --draft it prepares a policy with the"
            + " function that was learned. Look at what that would do, and put it in force or not"),
    /** A reservation is not kept. */
    SHORTFALL(
        "shortfall",
        "A conversation is granted less than an active reservation promises it, for 5 s, because a"
            + " link has less capacity than when that was admitted",
        "it is granted what was promised, or the reservation ends",
        "Mend the link that it names, or cancel the reservation"),
    /** A transfer is late. */
    TRANSFER(
        "transfer",
        "A transfer cannot have the rate that its deadline needs, for 5 s, or its deadline has"
            + " passed with bytes unsent",
        "its rate is enough again, it has sent all, or it is cancelled",
        "Cancel it and ask again with the bytes that are left: a refusal names the earliest"
            + " deadline"),
    /** A link loses packets. */
    DROPS(
        "drops",
        "A link's first switch dropped packets that were to leave by it, at its port or in a queue"
            + " of the port",
        "it has dropped none for 30 s, and for two periods of its counters",
        "See in paceline:links what it carries and what is granted on it: somebody may send beside"
            + " the plan, or its capacity is set too high"),
    /** A port is one queue, or has other shares. */
    QUEUES(
        "queues",
        "The port that a link leaves its switch by does not have the queues that a scheme wants,"
            + " for 5 s",
        "it has them, or none are wanted",
        "See in paceline:switches who divides ports of the switch; the alarm says why this one is"
            + " not divided"),
    /** A plan is late. */
    PLANNER_STALLED(
        "planner-stalled",
        "A new plan has been wanted for 30 s (with solver milp for milpLimitSeconds more) and is"
            + " not in force, or the planner has not looked after anything for 30 s; the plan in"
            + " force stays, and all rates hold",
        "a plan comes into force",
        "See ONOS's log: it says what fails, or what is waited for, such as the store of a cluster"
            + " without a majority"),
    /** New agents, conversations or messages do not find room. */
    AGENTS_FULL(
        "agents-full",
        "All agents together have as much as the controller takes: streams, hosts, conversations, or"
            + " messages a second. Who is new is refused, or waits; who is here goes on",
        "nobody has been refused for 60 s",
        "See in paceline:conversations and in ONOS's log which hosts have so many. One with many"
            + " short flows puts more sockets into one conversation by a rule's group; a hostile one"
            + " is revoked with paceline:agent-certificate-revoke"),
    /** An agent was cut off because it never stopped to speak. */
    FLOOD(
        "flood",
        "An agent has said 2,000 messages a second for ten minutes, and is cut off. It is refused for"
            + " a minute, each time that it comes to this again for twice as long, at most an hour",
        "it may come again",
        "Find out what runs on that host; a hostile one is revoked with"
            + " paceline:agent-certificate-revoke. Where it is honest, put more sockets into one"
            + " conversation by a rule's group"),
    /** Flow records stay away, or cannot be read. */
    EXPORTER(
        "exporter",
        "An exporter of flowExporters has sent no datagram for 15 minutes, or 10 of its datagrams"
            + " within 5 minutes cannot be read",
        "it sends again, fewer cannot be read, or it is taken out of flowExporters",
        "See in paceline:elephants what came from it, and at the exporter where it sends to"),
    /** Somebody names an intent that the tree does not have. */
    UNKNOWN_INTENT(
        "unknown-intent",
        "The rules of an attached agent, or an open conversation, name an intent that is not in the"
            + " tree; its conversations are served as its nearest ancestor that is. At most 20 of"
            + " each host",
        "the intent is in the tree, or nobody names it any more",
        "paceline:intent-set creates it, and its conversations are served by it from then on; or"
            + " change the rules on the hosts that the alarm names"),
    /** Another application of the same ONOS is in the way. */
    CONFLICT(
        "conflict",
        "Another application of this ONOS has rules that may take packets before Paceline's do (of"
            + " priority 10 or more, or in other tables than the first), or is known to write such"
            + " rules (org.onosproject.fwd). What they take is not led, marked and metered as planned",
        "it has no such rules and is deactivated",
        "onos:app deactivate with the application's name; or take its rules away:"
            + " DELETE /onos/v1/flows/application/NAME"),
    /** What is to be removed cannot be exported before. */
    RETENTION(
        "retention",
        "The log of changes or the versions of the policy are more than changesKept or versionsKept"
            + " says, and the oldest cannot be exported; none are removed, and ONOS's store grows",
        "they are exported; it is tried once a minute",
        "Make room where the alarm says, and let ONOS's user write there"),
    /** The disk that ONOS's stores are on has hardly any room. */
    DISK_NEARLY_FULL(
        "disk-nearly-full",
        "The disk that ONOS keeps its stores on has fewer bytes free than diskAlarmMegabytes says. On"
            + " a full one ONOS's own store can lose a part of its log, and then answers nobody any"
            + " more",
        "a tenth more than that is free",
        "Remove old logs and exports from the disk that the alarm names, or give it more room, before"
            + " it is full"),
    /** The version of the policy that was accepted last cannot be read. */
    POLICY(
        "policy",
        "The newest version of the policy cannot be read in ONOS's store. The newest that can be read"
            + " is in force, and the policy takes no change, so that nobody builds on what was not"
            + " accepted last",
        "it can be read, or an operator gives it up",
        "Bring ONOS's store back from a backup; or give that version up, by rolling back, with"
            + " paceline:policy-rollback or POST v1/policy/rollback"),
    /** A stored setting is not gone by. */
    SETTING(
        "setting",
        "A stored value of a setting cannot be used, and another is in force; or a link that"
            + " schemePlaces names has not been in the network for 5 s",
        "the setting is set to a value of its range, or back to its default; the link is there, or"
            + " not named any more",
        "paceline:setting-set with a value of the range that it names; paceline:links shows which"
            + " links there are");

    private final String word;
    private final String meaning;
    private final String ends;
    private final String remedy;

    Kind(String word, String meaning, String ends, String remedy) {
      this.word = word;
      this.meaning = meaning;
      this.ends = ends;
      this.remedy = remedy;
    }

    /** As programs read it. */
    public String word() {
      return word;
    }

    /** For people: when it is raised. */
    public String meaning() {
      return meaning;
    }

    /** For people: when it ends, as it follows "until". */
    public String ends() {
      return ends;
    }

    /** For people: what to do. */
    public String remedy() {
      return remedy;
    }
  }

  public abstract Kind kind();

  /** Empty where it is not about one. */
  public abstract Optional<ConversationId> conversation();

  /** The name of the setting; empty where it is not about one. */
  public abstract Optional<String> setting();

  /** The id of the reservation; empty where it is not about one. */
  public abstract Optional<String> reservation();

  /** The link; empty where it is not about one. */
  public abstract Optional<LinkId> link();

  /** The exporter's address; empty where it is not about one. */
  public abstract Optional<String> exporter();

  /** The intent as it is named; empty where it is not about one. */
  public abstract Optional<String> intent();

  /** The host whose agent it is about; empty where it is not about one. */
  public abstract Optional<String> agent();

  /** The name of another application of ONOS; empty where it is not about one. */
  public abstract Optional<String> application();

  /** The name of the utility function; empty where it is not about one. */
  public abstract Optional<String> utilityFunction();

  /** Why it may be so; empty but of {@link Kind#EXPERIENCE}. */
  public abstract Optional<LikelyCause> likelyCause();

  /** For a person: what is wrong, and what was tried. */
  public abstract String sentence();

  /** When it was first seen. */
  public abstract Instant since();

  public static Alarm of(Kind kind, ConversationId conversation, String sentence, Instant since) {
    return builder(kind, sentence, since).conversation(conversation).build();
  }

  /** {@link Kind#EXPERIENCE}. */
  public static Alarm ofExperience(
      ConversationId conversation, LikelyCause cause, String sentence, Instant since) {
    return builder(Kind.EXPERIENCE, sentence, since)
        .conversation(conversation)
        .likelyCause(cause)
        .build();
  }

  /**
   * @param setting its name
   */
  public static Alarm ofSetting(String setting, String sentence, Instant since) {
    return builder(Kind.SETTING, sentence, since).setting(setting).build();
  }

  /**
   * @param reservation its id
   */
  public static Alarm ofReservation(String reservation, String sentence, Instant since) {
    return builder(Kind.TRANSFER, sentence, since).reservation(reservation).build();
  }

  /**
   * @param kind {@link Kind#DROPS} or {@link Kind#QUEUES}
   */
  public static Alarm ofLink(Kind kind, LinkId link, String sentence, Instant since) {
    return builder(kind, sentence, since).link(link).build();
  }

  /**
   * @param exporter its address
   */
  public static Alarm ofExporter(String exporter, String sentence, Instant since) {
    return builder(Kind.EXPORTER, sentence, since).exporter(exporter).build();
  }

  /**
   * @param intent as it is named
   */
  public static Alarm ofIntent(String intent, String sentence, Instant since) {
    return builder(Kind.UNKNOWN_INTENT, sentence, since).intent(intent).build();
  }

  /**
   * @param host the agent's
   */
  public static Alarm ofAgent(String host, String sentence, Instant since) {
    return builder(Kind.QUARANTINE, sentence, since).agent(host).build();
  }

  /**
   * {@link Kind#CERTIFICATE}.
   *
   * @param host the agent's
   */
  public static Alarm ofCertificate(String host, String sentence, Instant since) {
    return builder(Kind.CERTIFICATE, sentence, since).agent(host).build();
  }

  /**
   * {@link Kind#PEERS_DECIDED}.
   *
   * @param host the agent's
   */
  public static Alarm ofPeers(String host, String sentence, Instant since) {
    return builder(Kind.PEERS_DECIDED, sentence, since).agent(host).build();
  }

  /**
   * @param application its name
   */
  public static Alarm ofApplication(String application, String sentence, Instant since) {
    return builder(Kind.CONFLICT, sentence, since).application(application).build();
  }

  /**
   * @param function its name
   */
  public static Alarm ofUtilityFunction(String function, String sentence, Instant since) {
    return builder(Kind.TABLE_DRIFT, sentence, since).utilityFunction(function).build();
  }

  /** {@link Kind#PLANNER_STALLED}. */
  public static Alarm ofPlanner(String sentence, Instant since) {
    return builder(Kind.PLANNER_STALLED, sentence, since).build();
  }

  /** {@link Kind#AGENTS_FULL}. */
  public static Alarm ofAgents(String sentence, Instant since) {
    return builder(Kind.AGENTS_FULL, sentence, since).build();
  }

  /**
   * {@link Kind#FLOOD}.
   *
   * @param host of the agent
   */
  public static Alarm ofFlood(String host, String sentence, Instant since) {
    return builder(Kind.FLOOD, sentence, since).agent(host).build();
  }

  /** {@link Kind#RETENTION}. */
  public static Alarm ofRetention(String sentence, Instant since) {
    return builder(Kind.RETENTION, sentence, since).build();
  }

  /** {@link Kind#DISK_NEARLY_FULL}. */
  public static Alarm ofDisk(String sentence, Instant since) {
    return builder(Kind.DISK_NEARLY_FULL, sentence, since).build();
  }

  /** {@link Kind#POLICY}. */
  public static Alarm ofPolicy(String sentence, Instant since) {
    return builder(Kind.POLICY, sentence, since).build();
  }

  private static Builder builder(Kind kind, String sentence, Instant since) {
    return new AutoValue_Alarm.Builder().kind(kind).sentence(sentence).since(since);
  }

  @AutoValue.Builder
  abstract static class Builder {
    abstract Builder kind(Kind kind);

    abstract Builder conversation(ConversationId id);

    abstract Builder setting(String name);

    abstract Builder reservation(String id);

    abstract Builder link(LinkId link);

    abstract Builder exporter(String address);

    abstract Builder intent(String name);

    abstract Builder agent(String host);

    abstract Builder application(String name);

    abstract Builder utilityFunction(String name);

    abstract Builder likelyCause(LikelyCause cause);

    abstract Builder sentence(String sentence);

    abstract Builder since(Instant since);

    abstract Alarm build();
  }

  /** What it is about, as a person reads it: no two things have the same. */
  public final String about() {
    return conversation()
        .map(id -> "conversation " + id)
        .or(() -> setting().map(name -> "setting " + name))
        .or(() -> link().map(link -> (kind() == Kind.QUEUES ? "queues of link " : "link ") + link))
        .or(() -> exporter().map(address -> "exporter " + address))
        .or(() -> reservation().map(id -> "reservation " + id))
        .or(() -> intent().map(name -> "intent " + name))
        .or(() -> agent().map(host -> ofWhichAgent() + host))
        .or(() -> application().map(name -> "application " + name))
        .or(() -> utilityFunction().map(name -> "utility function " + name))
        .orElseGet(this::aboutTheController);
  }

  private String ofWhichAgent() {
    switch (kind()) {
      case CERTIFICATE:
        return "certificate of agent ";
      case PEERS_DECIDED:
        return "peers of agent ";
      case FLOOD:
        return "flood of agent ";
      default:
        return "agent ";
    }
  }

  /** Of each of these kinds there is one alarm at a time. */
  private String aboutTheController() {
    switch (kind()) {
      case AGENTS_FULL:
        return "all agents";
      case RETENTION:
        return "retention";
      case DISK_NEARLY_FULL:
        return "the disk";
      case POLICY:
        return "the policy";
      default:
        return "the planner";
    }
  }
}
