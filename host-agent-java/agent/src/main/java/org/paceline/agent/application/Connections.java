package org.paceline.agent.application;

import io.grpc.netty.shaded.io.netty.channel.unix.PeerCredentials;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/** Who is connected; bounded, so that nobody keeps the others out. Owned by one thread. */
final class Connections {
  private static final int MOST = 256;
  private static final int MOST_OF_A_USER = 32;

  private final IntFunction<String> userNames;
  private final Map<Integer, Integer> byUser = new HashMap<>();
  private long connected;

  Connections(IntFunction<String> userNames) {
    this.userNames = userNames;
  }

  /**
   * @throws IllegalArgumentException where there are too many, or the process cannot be seen
   */
  Applicant enter(PeerCredentials peer) {
    int mine = byUser.getOrDefault(peer.uid(), 0);
    int all = byUser.values().stream().mapToInt(Integer::intValue).sum();
    String user = userNames.apply(peer.uid());
    if (peer.uid() != 0 && (mine >= MOST_OF_A_USER || all >= MOST)) {
      throw new IllegalArgumentException(
          "The user (" + user + ") has too many connections. Maybe close those not needed.");
    }
    // Of another process namespace, the kernel tells no number.
    Optional<ProcessHandle> process =
        peer.pid() > 0 ? ProcessHandle.of(peer.pid()) : Optional.empty();
    if (process.isEmpty()) {
      throw new IllegalArgumentException(
          "The process at the other end cannot be seen from here. Maybe it runs in a container"
              + " with process numbers of its own.");
    }
    byUser.put(peer.uid(), mine + 1);
    return new Applicant(++connected, process.get(), peer.uid(), user);
  }

  void leave(Applicant who) {
    byUser.computeIfPresent(who.uid(), (uid, count) -> count > 1 ? count - 1 : null);
  }
}
