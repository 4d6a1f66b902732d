package org.paceline.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class HeldConversationsTest {
  private static final int ROUNDS = 300;
  private static final long SEED = 20_261_122;

  @Test
  void anyTwoStatesBecomeOneAndOnlyBucketsThatDifferAreTold() {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      Map<String, ConversationOpened> there = state(random, random.nextInt(600));
      HeldConversations held = new HeldConversations();
      held.replace(there.values());
      int changes = random.nextInt(12);
      for (int i = 0; i < changes; i++) {
        change(there, random);
      }
      Set<String> different = differences(there, held);
      int buckets = ConversationDigests.bucketsFor(there.size());

      List<Integer> wanted = held.differing(ConversationDigests.of(there.values(), buckets));
      List<ConversationOpened> told =
          there.values().stream()
              .filter(one -> wanted.contains(ConversationDigests.bucket(one.getId(), buckets)))
              .collect(Collectors.toList());
      held.replace(wanted, buckets, told);

      assertThat(held.all()).containsExactlyElementsOf(there.values());
      assertThat(wanted)
          .containsExactlyInAnyOrderElementsOf(
              different.stream()
                  .map(id -> ConversationDigests.bucket(id, buckets))
                  .collect(Collectors.toSet()));
      assertThat(held.differing(ConversationDigests.of(there.values(), buckets))).isEmpty();
      // As ids fall: a handful a bucket.
      assertThat(told).hasSizeLessThanOrEqualTo(20 * different.size());
    }
  }

  @Test
  void whatIsHeldOfNothingIsAskedForInWhole() {
    Map<String, ConversationOpened> there = state(new Random(SEED), 500);
    int buckets = ConversationDigests.bucketsFor(there.size());
    assertThat(new HeldConversations().differing(ConversationDigests.of(there.values(), buckets)))
        .containsExactlyInAnyOrderElementsOf(
            there.keySet().stream()
                .map(id -> ConversationDigests.bucket(id, buckets))
                .collect(Collectors.toSet()));
  }

  @Test
  void ratesThatWereToldSinceCount() {
    HeldConversations held = new HeldConversations();
    held.replace(List.of(opened("a-1", 0)));
    held.rate("a-1", 5_000_000);
    held.rate("a-2", 5_000_000);
    held.open(opened("a-3", 1));
    held.close(List.of("a-3", "a-4"));
    List<ConversationOpened> there = List.of(opened("a-1", 5_000_000));
    assertThat(held.all()).isEqualTo(there);
    assertThat(held.differing(ConversationDigests.of(there, 64))).isEmpty();
  }

  @Test
  void digestsAreWhatTheProtocolSays() {
    // printf '\007\012\005mib-1' | sha256sum, of the first 8 bytes; crc32 of "mib-1" modulo 64.
    ConversationOpened one = ConversationOpened.newBuilder().setId("mib-1").build();
    List<Long> digests = ConversationDigests.of(List.of(one), 64);
    assertThat(Long.toHexString(digests.get(51))).isEqualTo("17c32cd2397e4bd3");
    assertThat(Long.toHexString(digests.get(52))).isEqualTo("e3b0c44298fc1c14");
  }

  @Test
  void bucketsGrowWithWhatIsInThem() {
    assertThat(ConversationDigests.bucketsFor(0)).isEqualTo(64);
    assertThat(ConversationDigests.bucketsFor(256)).isEqualTo(64);
    assertThat(ConversationDigests.bucketsFor(257)).isEqualTo(128);
    assertThat(ConversationDigests.bucketsFor(1_000_000)).isEqualTo(8_192);
  }

  private static Set<String> differences(
      Map<String, ConversationOpened> there, HeldConversations held) {
    Map<String, ConversationOpened> here = new TreeMap<>();
    held.all().forEach(one -> here.put(one.getId(), one));
    Map<String, ConversationOpened> all = new TreeMap<>(there);
    all.putAll(here);
    return all.keySet().stream()
        .filter(id -> !Optional.ofNullable(there.get(id)).equals(Optional.ofNullable(here.get(id))))
        .collect(Collectors.toSet());
  }

  private static void change(Map<String, ConversationOpened> state, Random random) {
    List<String> ids = List.copyOf(state.keySet());
    if (ids.isEmpty() || random.nextInt(3) == 0) {
      ConversationOpened fresh = opened("new-" + random.nextInt(1_000), 0);
      state.put(fresh.getId(), fresh);
      return;
    }
    String id = ids.get(random.nextInt(ids.size()));
    if (random.nextBoolean()) {
      state.remove(id);
    } else {
      state.put(id, opened(id, random.nextInt(1_000_000)));
    }
  }

  private static Map<String, ConversationOpened> state(Random random, int size) {
    Map<String, ConversationOpened> state = new TreeMap<>();
    for (int i = 0; i < size; i++) {
      ConversationOpened one = opened("mibxz1q7-" + random.nextInt(100_000), random.nextInt(100));
      state.put(one.getId(), one);
    }
    return state;
  }

  private static ConversationOpened opened(String id, long rate) {
    return ConversationOpened.newBuilder()
        .setId(id)
        .setIntent("a/b")
        .setLocalAddress("10.0.0.1")
        .setRemoteAddress("10.0.0.2")
        .setFirstSeenUnixNanos(1_763_800_000_000_000_000L)
        .setInstalledRateBitsPerSecond(rate)
        .build();
  }
}
