package org.paceline.agent.smallnetwork;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.paceline.agent.config.PeerSettings;
import org.paceline.allocator.virtualqueue.NominalShare;
import org.paceline.allocator.virtualqueue.ResourceUse;
import org.paceline.allocator.virtualqueue.VirtualQueueSettings;
import org.paceline.intents.unit.DataRate;

/** One link that the hosts share, as this host sees it. Owned by one thread. */
final class SharedLink {
  private static final double DIFFERENT = 0.001;

  private final String name;
  private final int id;
  private NominalShare share;
  private boolean hasFollowed;

  SharedLink(String name, int id, DataRate capacity, VirtualQueueSettings settings) {
    this.name = name;
    this.id = id;
    this.share = NominalShare.of(capacity, settings);
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
        logarithms += Math.log(peer.share().millibitsPerSecond());
        many++;
      }
    }
    if (many > 0) {
      if (hasFollowed) {
        logarithms += Math.log(share.share().millibitsPerSecond());
        many++;
      }
      hasFollowed = true;
      share = share.at(DataRate.ofMillibitsPerSecond(Math.round(Math.exp(logarithms / many))));
    }
    share = share.after(all);
  }

  /** Whether a peer was told another capacity of it, beyond how exactly it can say one. */
  boolean isOtherwise(DataRate capacity) {
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
    return new Announcement.Link(id, share.share(), share.capacity(), own);
  }
}
