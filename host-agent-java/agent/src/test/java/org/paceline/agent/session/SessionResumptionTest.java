package org.paceline.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.paceline.agent.flow.Direction;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.HeldConversations;
import org.paceline.protocol.Hello;
import org.paceline.protocol.PortMatch;
import org.paceline.protocol.Resumption;
import org.paceline.protocol.Welcome;

class SessionResumptionTest {
  private static final int ROUNDS = 200;
  private static final long SEED = 20_261_122;
  private static final int GRPC_LIMIT = 4 << 20;

  /** More than fit in one message, each with the path of a container's control group. */
  private static final int MANY = 20_000;

  private static final String LONG = "/system.slice/docker-" + "0123456789abcdef".repeat(12);

  private final Random random = new Random(SEED);
  private final SessionResumption resumption = new SessionResumption();
  private final Map<String, ConversationOpened> open = new TreeMap<>();
  private HeldConversations held = new HeldConversations();
  private boolean knowsDigests = true;
  private int said;
  private int opened;
  private int ports;

  @Test
  void howeverTheyMeetTheControllerHoldsWhatIsOpen() {
    for (int round = 0; round < ROUNDS; round++) {
      change(random.nextInt(8));
      switch (random.nextInt(6)) {
        case 0 -> held = new HeldConversations();
        case 1 -> knowsDigests = !knowsDigests;
        // Nobody answers this one.
        case 2 -> hello();
        default -> {}
      }
      meet(random.nextInt(4));
      assertThat(held.all()).containsExactlyElementsOf(open.values());
    }
  }

  @Test
  void theFirstTimeAllIsSaidThenOnlyDifferences() {
    change(1_000);
    meet(0);
    assertThat(said).isEqualTo(open.size());
    meet(0);
    assertThat(said).isZero();
    change(1);
    meet(0);
    assertThat(said).isBetween(0, 20);
    held = new HeldConversations();
    meet(0);
    assertThat(said).isEqualTo(open.size());
  }

  @Test
  void aSecondWelcomeOnTheSameStreamAsksForNothing() {
    change(3);
    meet(0);
    assertThat(
            resumption.answer(
                Welcome.newBuilder().setKnowsDigests(true).build(), open.values(), List.of()))
        .isEmpty();
  }

  @Test
  void whatBeganToComeInBeforeTheWelcomeIsToldAndWhatEndedIsOver() {
    ConversationOpened before = ConversationOpened.newBuilder().setId("i-1").build();
    ConversationOpened fresh = ConversationOpened.newBuilder().setId("i-2").build();
    Hello.Builder hello = Hello.newBuilder();
    resumption.say(hello, List.of(), List.of(before));
    assertThat(hello.getIncomingList()).containsExactly(before);

    assertThat(resumption.answer(Welcome.getDefaultInstance(), List.of(), List.of(fresh)))
        .containsExactly(Messages.closed(List.of("i-1")), Messages.of(fresh, Direction.IN));
  }

  @Test
  void moreThanFitsInAMessageIsToldAsWhatOpensLater() {
    change(1);
    for (int i = 0; i < MANY; i++) {
      String id = "mibxz1q7-many-" + i;
      open.put(id, ConversationOpened.newBuilder().setId(id).setCgroup(LONG).build());
    }
    meet(3);
    assertThat(said).isBetween(1_000, open.size() - 1);
    assertThat(held.all()).containsExactlyElementsOf(open.values());

    held = new HeldConversations();
    meet(3);
    assertThat(said).isBetween(1_000, open.size() - 1);
    assertThat(held.all()).containsExactlyElementsOf(open.values());
  }

  @Test
  void ofWhatComesInAHelloSaysWhatFitsToo() {
    List<ConversationOpened> many = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      many.add(ConversationOpened.newBuilder().setId("i-" + i).setCgroup(LONG).build());
    }
    Hello.Builder hello = Hello.newBuilder();
    resumption.say(hello, many, many);
    assertThat(hello.build().getSerializedSize()).isLessThan(GRPC_LIMIT);

    List<AgentMessage> answer = resumption.answer(Welcome.getDefaultInstance(), many, many);
    assertThat(answer.stream().filter(AgentMessage::hasIncoming).count())
        .isEqualTo(MANY - hello.getIncomingCount());
    assertThat(answer.stream().filter(AgentMessage::hasOpened).count())
        .isEqualTo(MANY - hello.getConversationsCount());
  }

  private void change(int changes) {
    for (int i = 0; i < changes; i++) {
      List<String> ids = List.copyOf(open.keySet());
      if (ids.isEmpty() || random.nextInt(3) > 0) {
        String id = "mibxz1q7-" + ++opened;
        open.put(id, ConversationOpened.newBuilder().setId(id).setIntent("a/b").build());
      } else {
        String id = ids.get(random.nextInt(ids.size()));
        if (random.nextBoolean()) {
          open.remove(id);
        } else {
          PortMatch more = PortMatch.newBuilder().setLocalPort(++ports).build();
          open.computeIfPresent(id, (same, one) -> one.toBuilder().addMoreMatches(more).build());
        }
      }
    }
  }

  private Hello hello() {
    Hello.Builder hello = Hello.newBuilder();
    resumption.say(hello, List.copyOf(open.values()), List.of());
    return hello.build();
  }

  /**
   * @param meanwhile how much changes before the Welcome comes
   */
  private void meet(int meanwhile) {
    Hello hello = hello();
    said = hello.getConversationsCount();
    assertThat(hello.getSerializedSize()).isLessThan(GRPC_LIMIT);
    Welcome.Builder welcome = Welcome.newBuilder();
    if (knowsDigests) {
      welcome.setKnowsDigests(true);
    }
    if (knowsDigests && hello.getDigestsCount() > 0) {
      welcome.addAllWantedBuckets(held.differing(hello.getDigestsList()));
    } else {
      held.replace(hello.getConversationsList());
    }
    change(meanwhile);
    for (AgentMessage message :
        new ArrayList<>(
            resumption.answer(welcome.build(), List.copyOf(open.values()), List.of()))) {
      assertThat(message.getSerializedSize()).isLessThan(GRPC_LIMIT);
      switch (message.getMessageCase()) {
        case RESUMPTION -> {
          Resumption rest = message.getResumption();
          said += rest.getConversationsCount();
          held.replace(rest.getBucketsList(), hello.getDigestsCount(), rest.getConversationsList());
        }
        case OPENED -> held.open(message.getOpened());
        case CLOSED -> held.close(message.getClosed().getIdsList());
        default -> throw new AssertionError(message);
      }
    }
  }
}
