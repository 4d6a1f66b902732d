package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.tree.SchemeName;

/**
 * The port that a link leaves its switch by is to have two queues, one for elephants and one for
 * all other traffic. Each may use what the other leaves; who is within its own rate goes before who
 * borrows, and nothing is dropped but what does not fit into a queue. Packets are told by their
 * DSCP, which rules at the elephants' first switch set.
 */
@AutoValue
public abstract class Queue implements Directive {
  @Override
  public abstract SchemeName owner();

  @Override
  public abstract Reason reason();

  /** The link, from a switch. */
  public abstract LinkId link();

  /**
   * What elephants and others have at least. What the port sends beyond both is divided in the same
   * ratio, and so is its buffer.
   */
  public abstract QueueShares shares();

  public static Queue of(SchemeName owner, Reason reason, LinkId link, QueueShares shares) {
    return new AutoValue_Queue(owner, reason, link, shares);
  }

  @Override
  public final Kind kind() {
    return Kind.QUEUE;
  }

  @Override
  public final String id() {
    return owner().word() + "/" + kind().word() + "/" + link();
  }
}
