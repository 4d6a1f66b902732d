package org.paceline.agent.smallnetwork;

import java.util.List;
import java.util.Optional;
import org.paceline.allocator.virtualqueue.ResourceUse;
import org.paceline.intents.unit.DataRate;

/**
 * What one host tells all others, once a second.
 *
 * @param host a number made of its name
 * @param epoch another one at each start of its agent
 * @param sequence grows with each announcement of an epoch
 * @param challenge a random number of this host's; who repeats it is heard now, not replayed
 * @param station how the host is part of the air; empty: it is not, or is behind the access point
 * @param heard challenges of others, repeated
 */
record Announcement(
    long host,
    long epoch,
    int sequence,
    long challenge,
    List<Link> links,
    Optional<Station> station,
    List<Long> heard) {
  Announcement {
    links = List.copyOf(links);
    heard = List.copyOf(heard);
  }

  /**
   * What a host says of a link.
   *
   * @param id a number made of the link's name
   * @param share the nominal share that its loop has come to
   * @param use of all that it sends, in sum
   */
  record Link(int id, DataRate share, DataRate capacity, ResourceUse use) {}

  /**
   * A host in the air of an access point.
   *
   * @param link the air's number, made of its name
   * @param up its frames to the access point
   * @param down those from there
   */
  record Station(int link, Frames up, Frames down) {}

  /**
   * The frames between a host and its access point, one way.
   *
   * @param payloadBytes of one, on average; 0 where there are hardly any
   */
  record Frames(DataRate association, int payloadBytes) {}
}
