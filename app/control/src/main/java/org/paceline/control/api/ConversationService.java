package org.paceline.control.api;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.paceline.control.audit.Author;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Subject;
import org.paceline.control.audit.User;
import org.paceline.control.explain.Explainer;
import org.paceline.control.explain.Explanation;
import org.paceline.control.inventory.LedgerEntry;
import org.paceline.control.inventory.ProofBook;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Enforcement;
import org.paceline.control.model.NodeNames;
import org.paceline.control.model.Proof;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.rollout.Planner;
import org.paceline.control.view.ClassView;
import org.paceline.control.view.ConversationView;
import org.paceline.intents.tree.IntentPath;

/**
 * Who talks, and why each got what it got. Operators announce and end conversations of hosts
 * without an agent here: each step is in the log of changes.
 */
public final class ConversationService {
  /** A planner in the middle of a long plan is waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Planner planner;
  private final ProofBook proofs;
  private final IntentPolicies policies;
  private final ChangeLog changes;
  private final NetworkService network;

  public ConversationService(
      Planner planner,
      ProofBook proofs,
      IntentPolicies policies,
      ChangeLog changes,
      NetworkService network) {
    this.planner = planner;
    this.proofs = proofs;
    this.policies = policies;
    this.changes = changes;
    this.network = network;
  }

  /** What is true of every conversation. */
  public ProofBook proofs() {
    return proofs;
  }

  /** All conversations. */
  public List<ConversationView> all() {
    return ConversationView.of(proofs.all());
  }

  /** The service classes that conversations are of. */
  public List<ClassView> classes() {
    return ClassView.of(proofs.all());
  }

  /** Who has what of whose reservation, and who had it before. */
  public List<LedgerEntry> ledger() {
    return planner.ledger();
  }

  /** Of which plan their grants are. */
  public long planVersion() {
    return planner.plan().version();
  }

  /** Why a conversation got what it got; empty where nobody knows it or it has no grant. */
  public Optional<Explanation> explain(ConversationId id) {
    return proofs.find(id).flatMap(proof -> Explainer.explain(proof, planner));
  }

  /** What people call the nodes of the network. */
  public NodeNames nodeNames() {
    return network.nodeNames();
  }

  /** One that starts now, to be announced. */
  public static Conversation.Builder conversation(String name) {
    return Conversation.builder()
        .id(ConversationId.of(ConversationId.ANNOUNCED, name))
        .enforcement(Enforcement.FIRST_HOP)
        .firstSeen(Instant.now());
  }

  /**
   * Whether it is announced by this: the very same, announced before, stays as it is.
   *
   * @param body what was sent to ask for it
   * @throws IllegalArgumentException if there is no such intent
   * @throws Denied if the user may not announce under this intent
   * @throws Refused if another has its name
   */
  public boolean announce(User who, Author author, String body, Conversation conversation) {
    String intent = conversation.intent();
    policies.mustKnow(intent);
    who.mustBeAllowed(Set.of(IntentPath.parse(intent)));
    Optional<Conversation> before = proofs.find(conversation.id()).map(Proof::conversation);
    if (before.isPresent()) {
      if (isSame(before.get(), conversation)) {
        return false;
      }
      throw new Refused(
          "Another conversation of this name is announced already: "
              + text(before.get())
              + ". Maybe give this one another name, or end that one.");
    }
    record(
        author,
        conversation.id(),
        "announced",
        body,
        "",
        text(conversation),
        () -> planner.opened(conversation));
    return true;
  }

  private static boolean isSame(Conversation before, Conversation now) {
    return before.intent().equals(now.intent())
        && before.localAddress().equals(now.localAddress())
        && before.remoteAddress().equals(now.remoteAddress())
        && before.matches().equals(now.matches());
  }

  /**
   * Whether there was one to end.
   *
   * @param body what was sent to ask for it
   * @throws Denied if the user may not end those under its intent
   * @throws Refused if it is an agent's
   */
  public boolean end(User who, Author author, String body, ConversationId id) {
    Optional<Proof> found = proofs.find(id);
    if (found.isEmpty()) {
      return false;
    }
    Conversation conversation = found.get().conversation();
    if (id.host().equals(ConversationId.FOUND)) {
      throw new Refused(
          "The conversation ("
              + id
              + ") was found by the naming rule ("
              + conversation.namedBy()
              + "), and its next packet would be found again. Maybe change the rule.");
    }
    // Not by how it is enforced: a host that cannot pace has an agent all the same.
    if (!id.host().equals(ConversationId.ANNOUNCED)) {
      throw new Refused(
          "The conversation ("
              + id
              + ") belongs to an agent, which says itself when it ends. Maybe end the application"
              + " on its host.");
    }
    who.mustBeAllowed(Set.of(found.get().requested().asked()));
    record(author, id, "ended", body, text(conversation), "", () -> planner.closed(List.of(id)));
    return true;
  }

  private void record(
      Author author,
      ConversationId id,
      String what,
      String body,
      String before,
      String after,
      Runnable act) {
    changes.carryOut(
        author,
        Subject.of(Subject.Kind.CONVERSATION, id.toString()),
        "Conversation " + id + " is " + what + ".",
        body,
        before,
        after,
        at -> {
          act.run();
          return true;
        });
    planner.awaitTold(PATIENCE);
  }

  /** As the log of changes shows it; port 0 is any. */
  private static String text(Conversation conversation) {
    return conversation.id()
        + " ("
        + conversation.intent()
        + ") from "
        + conversation.localAddress()
        + " port "
        + conversation.localPort()
        + " to "
        + conversation.remoteAddress()
        + " port "
        + conversation.remotePort()
        + " over "
        + conversation.transport();
  }
}
