package org.paceline.agent.smallnetwork;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How things stand between the peers, for whoever looks from outside.
 *
 * @param rules whether rates are shared by peers now, and not told by a controller
 * @param trouble why nobody can be heard; empty: nothing is in the way
 * @param taken announcements that counted
 * @param ignored datagrams that did not, by why
 */
public record PeerView(
    boolean rules,
    String trouble,
    List<Peer> peers,
    List<Link> links,
    List<Share> shares,
    long taken,
    Map<String, Long> ignored) {

  /**
   * One peer.
   *
   * @param sentBitsPerSecond over each shared link, as the links are listed; 0 where it says
   *     nothing
   */
  public record Peer(String address, String epoch, List<Long> sentBitsPerSecond) {}

  /**
   * One shared link.
   *
   * @param utilisation rho, of the virtual queue
   * @param share X
   * @param strangers peers that say another capacity of it
   * @param association where it is the air, the rate of this host's frames; 0: it is behind the
   *     access point
   * @param estimated where the capacity is
   */
  public record Link(
      String name,
      long capacityBitsPerSecond,
      double utilisation,
      double price,
      long shareBitsPerSecond,
      long strangers,
      Optional<Long> association,
      Optional<Estimated> estimated) {}

  /**
   * How a capacity was found.
   *
   * @param ceilingBitsPerSecond the most that it is taken for
   * @param waiting how long pings wait at the link; empty: too few are answered, so it stays as it
   *     is
   */
  public record Estimated(long ceilingBitsPerSecond, Optional<Duration> waiting) {}

  /** What one weight gets on this host. */
  public record Share(
      String intent, double weight, int conversations, long rate, long sent, boolean hungry) {}
}
