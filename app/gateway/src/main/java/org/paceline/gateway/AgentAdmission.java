package org.paceline.gateway;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.paceline.control.model.ConversationId;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.control.settings.PlannerSettings;
import org.paceline.gateway.tls.CertifiedNames;
import org.paceline.protocol.ConversationDigests;
import org.paceline.protocol.Hello;
import org.paceline.protocol.Refusal;
import org.paceline.protocol.UnknownIntent;
import org.paceline.protocol.Welcome;

/** Decides whom to let in, and says what to put right to those who are not. */
final class AgentAdmission {
  static final int PROTOCOL_VERSION = 1;

  /** So many unknown intents an agent is told of: the first that a person puts right. */
  private static final int MOST_TOLD = 10;

  private final IntentPolicies policies;
  private final Supplier<PlannerSettings> settings;
  private final String node;
  private final int heartbeatSeconds;
  private final Clock clock;
  private final Function<CertifiedNames, Optional<String>> revocation;

  /**
   * @param revocation why the authority no longer stands by a caller's certificate, where it does
   *     not
   */
  AgentAdmission(
      IntentPolicies policies,
      Supplier<PlannerSettings> settings,
      String node,
      int heartbeatSeconds,
      Clock clock,
      Function<CertifiedNames, Optional<String>> revocation) {
    this.policies = policies;
    this.settings = settings;
    this.node = node;
    this.heartbeatSeconds = heartbeatSeconds;
    this.clock = clock;
    this.revocation = revocation;
  }

  Instant now() {
    return clock.instant();
  }

  /**
   * Why this agent cannot be let in; empty where it can.
   *
   * @param certified what its certificate names; empty where none is asked for
   */
  Optional<Refusal> objection(Hello hello, Optional<CertifiedNames> certified) {
    if (hello.getProtocolVersion() != PROTOCOL_VERSION) {
      return Optional.of(
          refusal(
              Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION,
              "The agent speaks protocol version ("
                  + hello.getProtocolVersion()
                  + "), the controller version ("
                  + PROTOCOL_VERSION
                  + "). Maybe install the agent that came with this controller."));
    }
    if (hello.getHostId().isEmpty() || hello.getHostId().indexOf('/') >= 0) {
      return Optional.of(
          refusal(
              Refusal.Code.NOT_AUTHORISED,
              "The host id ("
                  + hello.getHostId()
                  + ") must not be empty nor hold a '/'. Maybe use the host's name."));
    }
    if (!ConversationId.mayBeAgents(hello.getHostId())) {
      return Optional.of(
          refusal(
              Refusal.Code.NOT_AUTHORISED,
              "The host id ("
                  + hello.getHostId()
                  + ") stands for conversations of hosts without an agent. Maybe use the host's"
                  + " name."));
    }
    if (hello.getDigestsCount() > ConversationDigests.MOST) {
      return Optional.of(
          refusal(
              Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION,
              "The Hello carries ("
                  + hello.getDigestsCount()
                  + ") digests, and at most ("
                  + ConversationDigests.MOST
                  + ") are allowed. Maybe install the agent that came with this controller."));
    }
    if (certified.isPresent() && !certified.get().hosts().contains(hello.getHostId())) {
      return Optional.of(
          refusal(
              Refusal.Code.NOT_AUTHORISED,
              "The host id ("
                  + hello.getHostId()
                  + ") is not the one of the certificate, which names ("
                  + String.join(", ", certified.get().hosts())
                  + "). Maybe the agent was given another host's certificate."));
    }
    return certified.flatMap(this::revocation);
  }

  /** What an agent is told whose certificate has been revoked; empty where it stands. */
  Optional<Refusal> revocation(CertifiedNames certified) {
    return revocation.apply(certified).map(why -> refusal(Refusal.Code.NOT_AUTHORISED, why));
  }

  /** Others have taken all there is; the agent comes back later. */
  static Refusal noRoom(String why) {
    return refusal(Refusal.Code.UNAVAILABLE, why);
  }

  static Refusal beyondBounds(String why) {
    return refusal(Refusal.Code.UNSUPPORTED_PROTOCOL_VERSION, why);
  }

  Refusal duplicate(String host) {
    return refusal(
        Refusal.Code.DUPLICATE_HOST,
        "An agent of the host id ("
            + host
            + ") is attached already. Maybe give this host another id, or stop the other agent.");
  }

  private static Refusal refusal(Refusal.Code code, String message) {
    return Refusal.newBuilder().setCode(code).setMessage(message).build();
  }

  /**
   * The lease is renewed by whatever the agent hears, so by every heartbeat.
   *
   * @param named the intents that the agent's rules name
   */
  Welcome welcome(List<String> named) {
    PlannerSettings now = settings.get();
    return Welcome.newBuilder()
        .setSession(UUID.randomUUID().toString())
        .setController(node)
        .setDefaultRateBitsPerSecond(now.rateWithoutGrant().bitsPerSecond())
        .setLeaseSeconds(Math.toIntExact(now.lease().toSeconds()))
        .setHeartbeatSeconds(heartbeatSeconds)
        .setKnowsDigests(true)
        .addAllUnknownIntents(unknown(named))
        .build();
  }

  private List<UnknownIntent> unknown(List<String> named) {
    return named.stream()
        .distinct()
        .filter(intent -> !policies.knows(intent))
        .limit(MOST_TOLD)
        .map(
            intent ->
                UnknownIntent.newBuilder()
                    .setIntent(intent)
                    .setServedAs(policies.resolve(intent).node().toString())
                    .addAllNearest(policies.nearest(intent))
                    .build())
        .collect(Collectors.toUnmodifiableList());
  }
}
