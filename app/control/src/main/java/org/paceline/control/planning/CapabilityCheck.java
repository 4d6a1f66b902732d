package org.paceline.control.planning;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.NetworkState;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.DeviceCapabilities;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkId;

/**
 * Finds conversations that no device can hold to a rate: no agent paces them, and no switch next to
 * their sender has meters. They are left out before anything is planned. Otherwise a plan would
 * lower the rates of others for them, and the switch would refuse them afterwards. O(n + links).
 */
final class CapabilityCheck {
  private final DeviceCapabilities devices;
  private Map<ConversationId, Unserved> before = Map.of();

  CapabilityCheck(DeviceCapabilities devices) {
    this.devices = devices;
  }

  /** Who is refused, and why. */
  Map<ConversationId, Unserved> refused(
      Collection<Proof> proofs, NetworkState state, String gateway) {
    before = find(proofs, state, gateway);
    return before;
  }

  /** Whether another answer would be given than the last time, such as by a switch of today. */
  boolean isOutdated(Collection<Proof> proofs, NetworkState state, String gateway) {
    return !before.equals(find(proofs, state, gateway));
  }

  boolean refusesAnybody() {
    return !before.isEmpty();
  }

  private Map<ConversationId, Unserved> find(
      Collection<Proof> proofs, NetworkState state, String gateway) {
    Map<ConversationId, Unserved> refused = new HashMap<>();
    Map<String, Optional<Unserved>> bySender = new HashMap<>();
    for (Proof proof : proofs) {
      Conversation conversation = proof.conversation();
      if (conversation.isMetered()) {
        state
            .sender(conversation, gateway)
            .flatMap(sender -> bySender.computeIfAbsent(sender, from -> refusal(from, state)))
            .ifPresent(why -> refused.put(conversation.id(), why));
      }
    }
    return refused;
  }

  /** Only if none of the switches next to the sender has meters. */
  private Optional<Unserved> refusal(String sender, NetworkState state) {
    Map<String, Optional<Unserved>> first =
        state.network().links().stream()
            .map(Link::id)
            .filter(link -> link.from().equals(sender))
            .map(LinkId::to)
            .distinct()
            .collect(
                Collectors.toMap(
                    node -> node,
                    node -> devices.of(node).flatMap(device -> device.refusesMeter(0, 0))));
    return first.values().stream().allMatch(Optional::isPresent)
        ? first.values().stream().flatMap(Optional::stream).findFirst()
        : Optional.empty();
  }
}
