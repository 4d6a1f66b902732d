package org.paceline.agent.session;

import com.google.protobuf.CodedOutputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.paceline.agent.flow.Direction;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ConversationDigests;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.Hello;
import org.paceline.protocol.PortMatch;
import org.paceline.protocol.Resumption;
import org.paceline.protocol.Welcome;

/**
 * What a controller is told of what is open when the agent meets it: all, the first time; later
 * digests, and where they differ from what it holds, that. Owned by one thread.
 */
public final class SessionResumption {
  // No message may have more than gRPC's 4 MB, and a Hello says more than conversations. What is
  // beyond this is told one by one, as what opens later.
  static final int MOST_BYTES = 3 << 20;

  private boolean digestsAreKnown;
  private Optional<Told> told = Optional.empty();

  /**
   * What the Hello has said, in full or by its digests.
   *
   * @param buckets 0: all of it in full
   */
  private record Told(
      List<ConversationOpened> open, List<ConversationOpened> incoming, int buckets) {}

  /** Says in the Hello what is open now; of what comes in, always in full. */
  public void say(
      Hello.Builder hello, List<ConversationOpened> open, List<ConversationOpened> incoming) {
    List<ConversationOpened> fitting = fitting(incoming, MOST_BYTES);
    hello.addAllIncoming(fitting);
    if (digestsAreKnown) {
      int buckets = ConversationDigests.bucketsFor(open.size());
      hello.addAllDigests(ConversationDigests.of(open, buckets));
      told = Optional.of(new Told(open, fitting, buckets));
    } else {
      int left = MOST_BYTES - fitting.stream().mapToInt(SessionResumption::bytes).sum();
      hello.addAllConversations(fitting(open, left));
      told = Optional.of(new Told(hello.getConversationsList(), fitting, 0));
    }
  }

  /** What the first Welcome after that Hello calls for; nothing after others. */
  public List<AgentMessage> answer(
      Welcome welcome,
      Collection<ConversationOpened> now,
      Collection<ConversationOpened> incomingNow) {
    digestsAreKnown = welcome.getKnowsDigests();
    List<AgentMessage> answer = new ArrayList<>();
    told.ifPresent(
        before -> {
          if (before.buckets() > 0 && !digestsAreKnown) {
            before.open().forEach(one -> answer.add(Messages.of(one, Direction.OUT)));
          } else if (welcome.getWantedBucketsCount() > 0) {
            answer.addAll(resumption(before, welcome.getWantedBucketsList()));
          }
          answer.addAll(meanwhile(before.open(), now, Direction.OUT));
          answer.addAll(meanwhile(before.incoming(), incomingNow, Direction.IN));
        });
    told = Optional.empty();
    return answer;
  }

  private static List<AgentMessage> resumption(Told told, List<Integer> wanted) {
    Set<Integer> buckets = new HashSet<>(wanted);
    List<ConversationOpened> differing =
        told.open().stream()
            .filter(
                one -> buckets.contains(ConversationDigests.bucket(one.getId(), told.buckets())))
            .toList();
    List<ConversationOpened> fitting = fitting(differing, MOST_BYTES);
    List<AgentMessage> messages = new ArrayList<>();
    messages.add(
        AgentMessage.newBuilder()
            .setResumption(
                Resumption.newBuilder().addAllBuckets(wanted).addAllConversations(fitting))
            .build());
    differing.subList(fitting.size(), differing.size()).stream()
        .map(one -> Messages.of(one, Direction.OUT))
        .forEach(messages::add);
    return messages;
  }

  /** The first of them that together take no more. */
  private static List<ConversationOpened> fitting(List<ConversationOpened> all, int bytes) {
    int left = bytes;
    int fitting = 0;
    while (fitting < all.size() && bytes(all.get(fitting)) <= left) {
      left -= bytes(all.get(fitting++));
    }
    return all.subList(0, fitting);
  }

  /** In a list: with its tag and its length. */
  private static int bytes(ConversationOpened one) {
    return 1 + CodedOutputStream.computeMessageSizeNoTag(one);
  }

  /** What has come, got other ports or gone between the Hello and its answer. */
  private static List<AgentMessage> meanwhile(
      List<ConversationOpened> before, Collection<ConversationOpened> now, Direction way) {
    Map<String, ConversationOpened> open =
        now.stream().collect(Collectors.toMap(ConversationOpened::getId, Function.identity()));
    Map<String, List<PortMatch>> known =
        before.stream()
            .collect(
                Collectors.toMap(
                    ConversationOpened::getId, ConversationOpened::getMoreMatchesList));
    List<AgentMessage> changes = new ArrayList<>();
    List<String> over =
        known.keySet().stream().filter(id -> !open.containsKey(id)).sorted().toList();
    if (!over.isEmpty()) {
      changes.add(Messages.closed(over));
    }
    now.stream()
        .filter(one -> !one.getMoreMatchesList().equals(known.get(one.getId())))
        .forEach(one -> changes.add(Messages.of(one, way)));
    return changes;
  }
}
