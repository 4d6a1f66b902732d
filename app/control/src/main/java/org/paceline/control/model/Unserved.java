package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Why a conversation gets no grant, and what that is about. */
@AutoValue
public abstract class Unserved {
  /** The kinds of reason. */
  public enum Kind {
    /** Its receiver announced it, and somebody else speaks for the same packets. */
    COUNTED_ALREADY,
    /** The agent that announced it speaks for an address that is not its host's. */
    NOT_ITS_ADDRESS,
    /** One of its ends is not in the network that is managed. */
    UNKNOWN_HOST,
    /** It uses no link, so there is nothing to share. */
    LOCAL,
    /** The network cannot carry it. */
    NOT_ADMITTED,
    /** A switch on its way cannot do what the plan needs of it. */
    NOT_ENFORCEABLE
  }

  /** The reasons as programs read them, each with its sentence: what is wrong and a way out. */
  public enum Code {
    SAME_PACKETS(
        Kind.COUNTED_ALREADY,
        "same-packets",
        "Its packets are those of the conversation (%s) already. Maybe end one of the two."),
    SENDER_HAS_AGENT(
        Kind.COUNTED_ALREADY,
        "sender-has-agent",
        "Its sender (%s) has an agent (%s), which says itself what it sends. Maybe name this"
            + " traffic in that agent's rules."),
    ADDRESS_NOT_CERTIFIED(
        Kind.NOT_ITS_ADDRESS,
        "address-not-certified",
        "The address (%s) is not one of those that the certificate of the agent (%s) names. Maybe"
            + " give that host a certificate that names it, too."),
    ADDRESS_OF_ANOTHER(
        Kind.NOT_ITS_ADDRESS,
        "address-of-another",
        "The agent (%2$s) may not speak for the address (%1$s), which is that of the host (%3$s)."
            + " Maybe stop one of the two agents, or say whose it is: by a certificate that names"
            + " it, or by hosts/%4$s/paceline/agents in network configuration."),
    ADDRESS_ELSEWHERE(
        Kind.NOT_ITS_ADDRESS,
        "address-elsewhere",
        "The agent (%2$s) may not speak for the address (%1$s): the network sees that at (%4$s), and"
            + " the agent's host at (%3$s). Maybe say that both are its: by a certificate that names"
            + " its addresses, or by hosts/%4$s/paceline/agents in network configuration."),
    UNKNOWN_SENDER(
        Kind.UNKNOWN_HOST,
        "unknown-sender",
        "The sending host (%s) is not known to the controller. Maybe it has not sent a packet yet,"
            + " or is outside the managed network."),
    UNKNOWN_RECEIVER(
        Kind.UNKNOWN_HOST,
        "unknown-receiver",
        "The receiving host (%s) is not known to the controller. Maybe it has not sent a packet"
            + " yet, or is outside the managed network."),
    WITHIN_HOST(Kind.LOCAL, "within-host", "It stays within the host (%s) and uses no link."),
    NO_PATH(
        Kind.NOT_ADMITTED,
        "no-path",
        "No way leads from (%s) to (%s). Maybe a link is down, or its capacity is not known."),
    /** The solver's own sentence: it alone knows which delay is too long. */
    TOO_SLOW(Kind.NOT_ADMITTED, "too-slow", "%s"),
    LINK_IS_FULL(
        Kind.NOT_ADMITTED,
        "link-is-full",
        "Not admitted: the link (%s) cannot give everybody even the least rate, and others have"
            + " priority or came before. It is held to a trickle. Maybe give its intent a higher"
            + " priority, or the link more capacity."),
    NETWORK_IS_FULL(
        Kind.NOT_ADMITTED,
        "network-is-full",
        "Not admitted: the network cannot give everybody even the least rate, and others have"
            + " priority or came before. It is held to a trickle. Maybe give its intent a higher"
            + " priority, or the links more capacity."),
    SHARE_IS_FULL(
        Kind.NOT_ADMITTED,
        "share-is-full",
        "Not admitted: no way from (%s) to (%s) has room for its fixed rate (%s) in what the"
            + " scheme may use of each link, beside those that come first. It is held to a trickle."
            + " Maybe raise fixedRateThousandths, or the priority of its intent."),
    NOT_KEPT_APART(
        Kind.NOT_ADMITTED,
        "not-kept-apart",
        "No way from (%s) to (%s) keeps elephants apart: at each switch somebody must divide the"
            + " port between queues. It is held to a rate. Maybe run agents with a (switch:) part on"
            + " the switches' machines, or let another scheme rule its intent."),
    NO_METERS(
        Kind.NOT_ENFORCEABLE,
        "no-meters",
        "The switch (%s) has no meters. Maybe run an agent on the sending host, or connect it to a"
            + " switch that has some."),
    METERS_IN_USE(
        Kind.NOT_ENFORCEABLE,
        "meters-in-use",
        "The switch (%1$s) may meter %2$s conversations and does. Maybe raise maxMetersPerSwitch,"
            + " or devices/%1$s/paceline/maxMeters."),
    METER_REFUSED(Kind.NOT_ENFORCEABLE, "meter-refused", "The switch (%s) refused a meter: %s."),
    NO_FIRST_SWITCH(
        Kind.NOT_ENFORCEABLE,
        "no-first-switch",
        "There is no first switch that can tell its packets from others."),
    METER_RULE_REFUSED(
        Kind.NOT_ENFORCEABLE,
        "meter-rule-refused",
        "The first switch did not take the rule that leads to its meter."),
    RULE_REFUSED(
        Kind.NOT_ENFORCEABLE,
        "rule-refused",
        "The switch (%s) refused a rule of the way. Maybe it is not connected, its table is full,"
            + " or it lacks the meter."),
    TABLE_IS_FULL(
        Kind.NOT_ENFORCEABLE,
        "table-is-full",
        "The switch (%1$s) may hold %2$s rules of conversations and has no place for %3$s more."
            + " Maybe raise maxRulesPerSwitch, or devices/%1$s/paceline/maxRules.");

    private final Kind kind;
    private final String word;
    private final String sentence;

    Code(Kind kind, String word, String sentence) {
      this.kind = kind;
      this.word = word;
      this.sentence = sentence;
    }

    /** As programs read it. */
    public String word() {
      return word;
    }
  }

  public abstract Code code();

  /** The hosts, switches, links or rates that the sentence names, in its order. */
  public abstract List<String> about();

  public final Kind kind() {
    return code().kind;
  }

  /** For a person: what is wrong and a way out. */
  public final String reason() {
    return String.format(code().sentence, about().toArray());
  }

  /** The same with nodes as people call them. */
  public final Unserved named(NodeNames names) {
    return new AutoValue_Unserved(
        code(), about().stream().map(names::in).collect(Collectors.toUnmodifiableList()));
  }

  /**
   * @param about as many as the code's sentence names
   * @throws java.util.IllegalFormatException if there are fewer
   */
  public static Unserved of(Code code, Object... about) {
    Unserved unserved =
        new AutoValue_Unserved(
            code,
            Arrays.stream(about).map(String::valueOf).collect(Collectors.toUnmodifiableList()));
    if (unserved.reason().isEmpty()) {
      throw new IllegalArgumentException("The reason (" + code.word + ") says nothing.");
    }
    return unserved;
  }
}
