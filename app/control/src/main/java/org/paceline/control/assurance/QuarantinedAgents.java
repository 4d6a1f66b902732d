package org.paceline.control.assurance;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.inventory.Quarantine;
import org.paceline.control.model.Alarm;
import org.paceline.control.model.Proof;

/** Agents that do not keep to their rates: one alarm each. On the worker. */
public final class QuarantinedAgents {
  private final Supplier<List<Quarantine>> agents;

  /**
   * @param agents looks at all of them, and says who is in quarantine
   */
  public QuarantinedAgents(Supplier<List<Quarantine>> agents) {
    this.agents = agents;
  }

  /** O(n) in conversations for each such agent. */
  public List<Alarm> look(Collection<Proof> proofs) {
    return agents.get().stream()
        .map(one -> Alarm.ofAgent(one.host(), sentence(one, unserved(one, proofs)), one.since()))
        .collect(Collectors.toUnmodifiableList());
  }

  private static long unserved(Quarantine of, Collection<Proof> proofs) {
    return proofs.stream()
        .filter(proof -> proof.conversation().id().host().equals(of.host()))
        .filter(proof -> proof.conversation().isQuarantined() && proof.unserved().isPresent())
        .count();
  }

  private static String sentence(Quarantine one, long unserved) {
    return "The agent ("
        + one.host()
        + ") "
        + fault(one)
        + " Until it has kept to its rates for "
        + one.probation().toSeconds()
        + " s, its conversations are metered at their first switches, at their grants."
        + (unserved == 0
            ? ""
            : " ("
                + unserved
                + ") of them cannot be, and are unserved; what they send all the same is not in the"
                + " plan.")
        + " Maybe restart it, or see what else changes the queues of its host.";
  }

  private static String fault(Quarantine one) {
    String told = one.told().toKbpsFloor() + " kbit/s";
    String held = one.held().toKbpsFloor() + " kbit/s";
    switch (one.fault()) {
      case HOLDS_MORE:
        return "says that it holds ("
            + one.what()
            + ") to "
            + held
            + ", and was told "
            + told
            + ".";
      case NO_ANSWER:
        return "does not answer that it holds ("
            + one.what()
            + ") to "
            + told
            + "; it may hold "
            + held
            + " yet.";
      default:
        throw new IllegalStateException("The fault (" + one.fault() + ") has no text.");
    }
  }
}
