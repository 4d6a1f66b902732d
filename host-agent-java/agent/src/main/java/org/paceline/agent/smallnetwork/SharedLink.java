package org.paceline.agent.smallnetwork;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.paceline.agent.config.PeerSettings;
import org.paceline.allocator.virtualqueue.CapacityEstimate;
import org.paceline.allocator.virtualqueue.NominalShare;
import org.paceline.allocator.virtualqueue.ResourceUse;
import org.paceline.allocator.virtualqueue.VirtualQueueSettings;
import org.paceline.intents.unit.DataRate;

/** One link that the hosts share, as this host sees it. Owned by one thread. */
final class SharedLink {
  private static final double DIFFERENT = 0.001;

  /** In so many steps a host that begins has heard the others, if there are any. */
  private static final int STEPS_TO_HEAR = 3;

  private final String name;
  private final int id;
  private final Optional<CapacityEstimate> estimate;
  private NominalShare share;
  private CapacityEstimate.Queue queue = CapacityEstimate.Queue.UNKNOWN;
  private boolean hasFollowed;
  private int stepsAlone;

  SharedLink(PeerSettings.Link link, VirtualQueueSettings settings) {
    this.name = link.name();
    this.id = id(link);
    this.estimate = link.estimated().map(how -> new CapacityEstimate(how.floor(), link.capacity()));
    this.share =
        NominalShare.of(estimate.map(CapacityEstimate::now).orElse(link.capacity()), settings);
  }

  /** The same on every host, in fewer bytes than the name. */
  static long number(String name) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return ByteBuffer.wrap(digest).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** By which it is announced. The air is another one than a link of its name. */
  static int id(PeerSettings.Link link) {
    return (int) number((link.air().isPresent() ? "air:" : "") + link.name());
  }

  String name() {
    return name;
  }

  NominalShare share() {
    return share;
  }

  /** What this host knows of a queue there; an estimate of the capacity goes by it. */
  void seesQueue(CapacityEstimate.Queue now) {
    queue = now;
  }

  /**
   * One step of the loop. All hosts step by the same load, so nothing but this would bring shares
   * together that differ once: each takes the middle of all first, and who is new that of the
   * others.
   */
  void step(List<Announcement.Link> peers, ResourceUse own) {
    ResourceUse all = own;
    double logarithms = 0;
    int many = 0;
    for (Announcement.Link peer : peers) {
      all = all.plus(peer.use());
      if (peer.share().compareTo(DataRate.ZERO) > 0) {
        logarithms += Math.log(atThisCapacity(peer));
        many++;
      }
    }
    boolean isNew = !hasFollowed;
    if (many > 0) {
      if (hasFollowed) {
        logarithms += Math.log(share.share().millibitsPerSecond());
        many++;
      }
      hasFollowed = true;
      share = share.at(DataRate.ofMillibitsPerSecond(Math.round(Math.exp(logarithms / many))));
    }
    if (estimate.isPresent()) {
      estimate(estimate.get(), isNew, peers, own, all);
    }
    share = share.after(all);
  }

  /** A host whose estimate is another one for a moment has another share by as much. */
  private double atThisCapacity(Announcement.Link peer) {
    double here = peer.share().millibitsPerSecond();
    return estimate.isEmpty() || peer.capacity().equals(DataRate.ZERO)
        ? here
        : here * share.capacity().millibitsPerSecond() / peer.capacity().millibitsPerSecond();
  }

  /** The lowest of the hosts that use the link counts; a new or idle host takes theirs. */
  private void estimate(
      CapacityEstimate one,
      boolean isNew,
      List<Announcement.Link> peers,
      ResourceUse own,
      ResourceUse all) {
    Optional<DataRate> lowest =
        peers.stream()
            .filter(peer -> isNew || peer.use().sent().compareTo(DataRate.ZERO) > 0)
            .map(Announcement.Link::capacity)
            .filter(capacity -> capacity.compareTo(DataRate.ZERO) > 0)
            .min(Comparator.naturalOrder());
    if (lowest.isPresent() && (isNew || own.sent().equals(DataRate.ZERO))) {
      one.follow(lowest.get());
    } else {
      lowest.ifPresent(one::atMost);
    }
    stepsAlone = lowest.isPresent() ? STEPS_TO_HEAR : stepsAlone + 1;
    one.after(all, share.settings().settled(share.capacity()), queue);
    share = share.withCapacity(one.now());
  }

  /** A new host's first guess is not announced: the others would follow it. */
  private boolean isUndecided() {
    return estimate.isPresent() && stepsAlone < STEPS_TO_HEAR;
  }

  /** Whether a peer was told another capacity of it, beyond how exactly it can say one. */
  boolean isOtherwise(DataRate capacity) {
    if (estimate.isPresent()) {
      return false;
    }
    double here = share.capacity().millibitsPerSecond();
    return Math.abs(capacity.millibitsPerSecond() - here) > here * DIFFERENT;
  }

  /** What hosts say of this link. */
  List<Announcement.Link> of(List<Announcement> said) {
    return said.stream()
        .flatMap(one -> one.links().stream())
        .filter(link -> link.id() == id)
        .toList();
  }

  Announcement.Link told(ResourceUse own) {
    return isUndecided()
        ? new Announcement.Link(id, DataRate.ZERO, DataRate.ZERO, own)
        : new Announcement.Link(id, share.share(), share.capacity(), own);
  }
}
