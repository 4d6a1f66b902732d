package org.paceline.control.directive;

import com.google.auto.value.AutoValue;

/** Why a port does not have the queues that are wanted. */
@AutoValue
public abstract class QueueRefusal {
  /** The reasons, each with its sentence: what is wrong and a way out. */
  public enum Code {
    NO_SWITCH_PORT("It leaves no switch by a port that ONOS names (%s), so nobody can divide it."),
    NO_SCHEDULER(
        "Nobody divides ports of its switch (%s). Maybe run an agent with a (switches:) part on the"
            + " switch's machine, and set devices/ID/paceline/queueAgent to its host."),
    OTHER_PORTS(
        "The agent of its switch does not divide this port (%s). Maybe add it to the agent's"
            + " (switches:) part."),
    NO_ANSWER("The agent of its switch (%s) did not answer in time. It is told again."),
    REFUSED("The agent of its switch could not divide it: %s");

    private final String sentence;

    Code(String sentence) {
      this.sentence = sentence;
    }
  }

  public abstract Code code();

  /** The switch, port or answer that the sentence names. */
  public abstract String about();

  public static QueueRefusal of(Code code, String about) {
    return new AutoValue_QueueRefusal(code, about);
  }

  /** For a person: what is wrong and a way out. */
  public final String reason() {
    return String.format(code().sentence, about());
  }
}
