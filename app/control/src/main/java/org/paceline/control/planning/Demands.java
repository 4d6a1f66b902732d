package org.paceline.control.planning;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.ReservedRates;
import org.paceline.control.scheme.ClassMembership;
import org.paceline.control.scheme.Demand;
import org.paceline.control.scheme.Observations;
import org.paceline.control.scheme.PortState;
import org.paceline.control.scheme.ReservedRate;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Path;
import org.paceline.intents.problem.Application;
import org.paceline.intents.tree.EffectivePolicy;
import org.paceline.intents.tree.SchemeName;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.utility.UtilityFunction;

/** What the conversations ask of the network, and those that cannot ask for anything. */
public final class Demands {
  /** Above what any intent can ask for: what was promised comes first. */
  private static final int RESERVED = 1 << 28;

  public final List<Application> applications = new ArrayList<>();

  /** The scheme of each application, by its id. */
  final Map<String, SchemeName> ruledBy = new HashMap<>();

  /** The service class of each who is ruled by such classes, by application id. */
  final Map<String, ClassMembership> classes = new HashMap<>();

  /** What is reserved for each who is ruled by adaptive reservations or has a circuit. */
  final Map<String, ReservedRate> reservations = new HashMap<>();

  /** What was seen of those. */
  Observations observations = Observations.NONE;

  /** What those in classes reach, of those who reach less than they are given. */
  Map<String, DataRate> throughput = Map.of();

  /** What ports can do and carry. */
  Map<LinkId, PortState> ports = Map.of();

  /** The path that each takes by the plan in force, by application id. */
  final Map<String, Path> paths = new HashMap<>();

  /** The ids of those who are served already. */
  public final Set<String> incumbents = new HashSet<>();

  final Map<ConversationId, Unserved> unserved = new TreeMap<>();

  /**
   * Of the unserved, those one of whose hosts is not known. Not who receives from such a host: that
   * one's agent lets it pass.
   */
  final Set<ConversationId> outOfSight = new TreeSet<>();

  /** What one of the applications asks, and whom. */
  Demand demand(Application application) {
    String id = application.id();
    return Demand.of(
        application,
        Objects.requireNonNull(ruledBy.get(id), id),
        Optional.ofNullable(classes.get(id)),
        Optional.ofNullable(reservations.get(id)));
  }

  public static Demands of(
      Collection<Proof> proofs,
      NetworkState state,
      Map<ConversationId, Unserved> excluded,
      Map<ConversationId, ReservedRates.Due> reserved,
      String gateway) {
    Demands demands = new Demands();
    for (Proof proof : proofs) {
      ConversationId id = proof.conversation().id();
      Unserved why = excluded.get(id);
      if (why != null) {
        demands.unserved.put(id, why);
        continue;
      }
      demands.add(
          proof.conversation(),
          proof.requested(),
          state,
          reserved.getOrDefault(id, ReservedRates.Due.NOTHING),
          gateway);
      if (proof.computed().isPresent() && proof.state() != ConversationState.UNSERVED) {
        demands.incumbents.add(id.toString());
      }
    }
    return demands;
  }

  private void add(
      Conversation conversation,
      EffectivePolicy policy,
      NetworkState state,
      ReservedRates.Due reserved,
      String gateway) {
    Optional<String> from = state.sender(conversation, gateway);
    Optional<String> to = state.nodeOf(conversation.remoteAddress());
    if (from.isEmpty() || to.isEmpty()) {
      if (!conversation.incoming()) {
        outOfSight.add(conversation.id());
      }
      unserved.put(
          conversation.id(),
          from.isEmpty()
              ? Unserved.of(Unserved.Code.UNKNOWN_SENDER, conversation.localAddress())
              : Unserved.of(Unserved.Code.UNKNOWN_RECEIVER, conversation.remoteAddress()));
    } else if (from.equals(to)) {
      unserved.put(conversation.id(), Unserved.of(Unserved.Code.WITHIN_HOST, from.get()));
    } else {
      String application = conversation.id().toString();
      boolean isReserved = !reserved.equals(ReservedRates.Due.NOTHING);
      ruledBy.put(application, policy.scheme().value());
      Demand.classOf(policy, reserved.rate())
          .ifPresent(membership -> classes.put(application, membership));
      Demand.reservationOf(policy, reserved).ifPresent(rate -> reservations.put(application, rate));
      applications.add(
          Application.of(
              application,
              from.get(),
              to.get(),
              isReserved
                  ? atLeast(policy.boundedFunction(), reserved.rate())
                  : policy.boundedFunction(),
              1,
              isReserved ? RESERVED : policy.priority().value()));
    }
  }

  /** Of a table that has no rate so great, its greatest. */
  private static UtilityFunction atLeast(UtilityFunction function, DataRate rate) {
    DataRate greatest = function.throughput(function.throughputBins() - 1);
    DataRate least = rate.compareTo(greatest) < 0 ? rate : greatest;
    return function.within(least, greatest).named(function.name() + " reserved " + rate);
  }
}
