package org.paceline.control.reservations;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.paceline.allocator.auto.AutoAllocator;
import org.paceline.allocator.network.NetworkAllocator;
import org.paceline.control.model.NetworkState;
import org.paceline.intents.network.Link;
import org.paceline.intents.network.LinkDelay;
import org.paceline.intents.network.Network;
import org.paceline.intents.tree.IntentTree;
import org.paceline.intents.unit.DataRate;
import org.paceline.intents.unit.Latency;
import org.paceline.intents.unit.Utility;
import org.paceline.intents.utility.UtilityFunction;

class AdmissionTest {
  private static final int CAPACITY = 10_000;
  private static final int LAST = 24;
  private static final Admission ADMISSION =
      new Admission(
          new AutoAllocator(new NetworkAllocator(Optional.empty())), Duration.ofMinutes(1));
  private static final IntentTree TREE =
      IntentTree.withDefault(
          UtilityFunction.of(
              "any",
              List.of(kbps(100)),
              List.of(Latency.ofMillis(50)),
              List.of(List.of(Utility.of(3.0)))));

  private static DataRate kbps(long rate) {
    return DataRate.ofKilobitsPerSecond(rate);
  }

  private static Instant hour(int hour) {
    return Instant.EPOCH.plus(Duration.ofHours(hour));
  }

  private static ReservationRequest requested(long rate, int start, int hours, int deadline) {
    return ReservationRequest.of(
        "",
        "10.0.0.1",
        "10.0.0.2",
        kbps(rate),
        hour(start),
        Duration.ofHours(hours),
        hour(deadline));
  }

  private static Network link(long capacity) {
    return Network.of(Set.of("h1", "h2"), List.of(way("h1", "h2", capacity)));
  }

  private static Link way(String from, String to, long capacity) {
    return Link.of(from, to, kbps(capacity), LinkDelay.constant(Latency.ofMillis(1)));
  }

  private static AdmissionDecision answer(
      ReservationRequest requested, List<Reservation> reserved, Network network) {
    NetworkState state =
        NetworkState.of(network, Map.of("10.0.0.1", "h1", "10.0.0.2", "h2"), List.of());
    return ADMISSION.answer(requested, reserved, network, state, TREE, any -> Optional.empty());
  }

  private static List<Reservation> calendar(Random chance) {
    List<Reservation> reserved = new ArrayList<>();
    int entries = chance.nextInt(7);
    for (int i = 0; i < entries; i++) {
      int start = chance.nextInt(LAST - 1);
      int hours = 1 + chance.nextInt(LAST - start);
      ReservationRequest requested =
          requested(1_000 + 500L * chance.nextInt(8), start, hours, LAST);
      if (fits(requested, reserved)) {
        reserved.add(Reservation.held("r" + i, requested, hour(LAST)));
      }
    }
    return reserved;
  }

  /** Hour by hour, in sums. */
  private static boolean fits(ReservationRequest requested, List<Reservation> reserved) {
    for (int hour = 0; hour < LAST; hour++) {
      Instant now = hour(hour);
      if (requested.start().isAfter(now) || !requested.end().isAfter(now)) {
        continue;
      }
      long sum =
          requested.rate().millibitsPerSecond()
              + reserved.stream()
                  .filter(r -> r.takes(now))
                  .mapToLong(r -> r.requested().rate().millibitsPerSecond())
                  .sum();
      if (sum > kbps(CAPACITY).millibitsPerSecond()) {
        return false;
      }
    }
    return true;
  }

  @Property(tries = 200, seed = "20")
  void onOneLinkItAnswersAsCountingHourByHourDoes(@ForAll long seed) {
    Random chance = new Random(seed);
    List<Reservation> reserved = calendar(chance);
    int start = chance.nextInt(LAST - 4);
    int hours = 1 + chance.nextInt(4);
    int deadline = start + hours + chance.nextInt(LAST - start - hours + 1);
    ReservationRequest requested =
        requested(2_000 + 500L * chance.nextInt(20), start, hours, deadline);

    AdmissionDecision answer = answer(requested, reserved, link(CAPACITY));

    assertThat(answer.isYes()).isEqualTo(fits(requested, reserved));
    if (answer.isYes()) {
      return;
    }
    Optional<ReservationRequest> later = Optional.empty();
    for (int s = start; s + hours <= deadline && later.isEmpty(); s++) {
      later = Optional.of(requested.at(hour(s))).filter(w -> fits(w, reserved));
    }
    if (later.isPresent()) {
      assertThat(answer.counterOffer()).isEqualTo(later);
    } else if (answer.counterOffer().isPresent()) {
      ReservationRequest less = answer.counterOffer().get();
      assertThat(less.start()).isEqualTo(requested.start());
      assertThat(fits(less, reserved)).isTrue();
      assertThat(fits(less.with(less.rate().plus(kbps(1))), reserved)).isFalse();
    } else {
      assertThat(fits(requested.with(kbps(1)), reserved)).isFalse();
    }
  }

  @Property(tries = 200, seed = "20")
  void theEarliestDeadlineOfATransferIsTheFirstThatCountingFindsRoomFor(@ForAll long seed) {
    Random chance = new Random(seed);
    List<Reservation> reserved = calendar(chance);
    int start = chance.nextInt(LAST - 4);
    ReservationRequest requested =
        ReservationRequest.transfer(
            "",
            "10.0.0.1",
            "10.0.0.2",
            (1 + chance.nextInt(40)) * 1_000_000_000L,
            hour(start),
            hour(start).plusSeconds(600 + chance.nextInt(4 * 3_600)));
    Instant latest = hour(LAST + 24);
    NetworkState state =
        NetworkState.of(link(CAPACITY), Map.of("10.0.0.1", "h1", "10.0.0.2", "h2"), List.of());
    AdmissionDecision answer =
        ADMISSION.answer(
            requested,
            reserved,
            ADMISSION.at(state.network(), state, TREE, any -> Optional.empty()),
            latest,
            Duration.ofDays(9));

    assertThat(answer.isYes()).isEqualTo(fits(requested, reserved));
    if (answer.isYes()) {
      return;
    }
    ReservationRequest offer = answer.counterOffer().orElseThrow();
    Instant earliest = offer.deadline();
    assertThat(answer.refusal().orElseThrow()).contains("met is (" + earliest + ")");
    assertThat(fits(offer, reserved)).isTrue();
    for (Instant from = requested.start();
        from.isBefore(earliest) && from.isBefore(hour(LAST));
        from = from.plusSeconds(3_600)) {
      Instant sooner = from.isBefore(requested.deadline()) ? requested.deadline() : from;
      while (sooner.plusSeconds(97).isBefore(earliest)) {
        sooner = sooner.plusSeconds(97);
        assertThat(fits(requested.between(from, sooner), reserved))
            .as(from + " " + sooner)
            .isFalse();
      }
      Instant second = earliest.minusSeconds(2);
      assertThat(
              second.isAfter(from)
                  && !second.isBefore(requested.deadline())
                  && fits(requested.between(from, second), reserved))
          .isFalse();
    }
  }

  @Test
  void onTwoWaysTwoFitThatOneWayCouldNotCarry() {
    Network diamond =
        Network.of(
            Set.of("h1", "s1", "s2", "h2"),
            List.of(
                way("h1", "s1", CAPACITY),
                way("h1", "s2", CAPACITY),
                way("s1", "h2", CAPACITY),
                way("s2", "h2", CAPACITY)));
    Reservation first = Reservation.held("r", requested(8_000, 0, 4, 4), hour(1));

    assertThat(answer(requested(8_000, 0, 4, 4), List.of(first), diamond).isYes()).isTrue();
    assertThat(answer(requested(11_000, 0, 4, 4), List.of(first), diamond).isYes()).isFalse();
  }

  @Test
  void whoIsNotThereIsNamed() {
    Network network = link(CAPACITY);
    NetworkState state = NetworkState.of(network, Map.of("10.0.0.1", "h1"), List.of());

    AdmissionDecision answer =
        ADMISSION.answer(
            requested(1, 0, 1, 1), List.of(), network, state, TREE, any -> Optional.empty());

    assertThat(answer.refusal()).hasValueSatisfying(why -> assertThat(why).contains("10.0.0.2"));
    assertThat(answer.counterOffer()).isEmpty();
  }
}
