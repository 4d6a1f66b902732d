package org.paceline.allocator.virtualqueue;

import com.google.auto.value.AutoValue;
import org.paceline.intents.unit.DataRate;

/**
 * The nominal fair share X_A of one resource of a small network without a controller: an access
 * link, or the air. Every host runs this loop on what all hosts announce, and paces its flows at
 * the least of their offers. Gkantsidis et al. 2009, section 3.2.
 *
 * <p>The update X + kappa X (1 - p - p rho / alpha), p = rho^B, raises X below and lowers it above
 * the utilisation of equation 5. Divided by alpha it is stable by the same kappa < 1 / (B + 1) for
 * every alpha: near the root an error shrinks by 1 - kappa (B + 1 - p) a period.
 *
 * <p>The paper divides X by the weights of all flows, and lets it grow beyond the capacity until
 * what some leave is taken by others. Here what they leave is subtracted at once, see {@link
 * #offer}; X stays near the capacity, and who comes or goes changes the offers in the next period.
 */
@AutoValue
public abstract class NominalShare {
  /** No share grows beyond as many times its capacity. */
  private static final long MOST = 2;

  /** An overload of any size takes away nine tenths a period at most. */
  private static final double STEEPEST = 0.1;

  /** How far an adaptive virtual queue moves of what the load is off. */
  private static final double ADAPTATION = 0.1;

  public abstract DataRate capacity();

  public abstract VirtualQueueSettings settings();

  /**
   * What the virtual queue serves: beta of the capacity, or what it has adapted to. That comes from
   * below: what a queue has too much at 0.99 of its link leaves it by a hundredth of the link.
   */
  public abstract DataRate virtualCapacity();

  /** X_A. */
  public abstract DataRate share();

  /**
   * A resource at its start: its share is what settles where all that it gives is used.
   *
   * @throws IllegalArgumentException if the capacity is 0
   */
  public static NominalShare of(DataRate capacity, VirtualQueueSettings settings) {
    if (capacity.equals(DataRate.ZERO)) {
      throw new IllegalArgumentException(
          "A resource without capacity has no shares. Maybe leave it out.");
    }
    return new AutoValue_NominalShare(
        capacity,
        settings,
        Rates.times(capacity, settings.virtual()),
        atLeastSomething(settings.settled(capacity)));
  }

  /** The same at another share, such as the one that other hosts have come to. */
  public NominalShare at(DataRate share) {
    return new AutoValue_NominalShare(
        capacity(), settings(), virtualCapacity(), atLeastSomething(share));
  }

  /** The same of a resource that turns out to have another capacity: it moves as that does. */
  public NominalShare withCapacity(DataRate capacity) {
    double factor = (double) capacity.millibitsPerSecond() / capacity().millibitsPerSecond();
    return new AutoValue_NominalShare(
        capacity,
        settings(),
        Rates.times(virtualCapacity(), factor),
        atLeastSomething(Rates.times(share(), factor)));
  }

  /** Zero would never grow again. */
  private static DataRate atLeastSomething(DataRate share) {
    return share.equals(DataRate.ZERO) ? DataRate.ofMillibitsPerSecond(1) : share;
  }

  /** rho: what was seen to be sent, of what the virtual queue serves. */
  public double utilisation(DataRate sent) {
    return (double) sent.millibitsPerSecond() / virtualCapacity().millibitsPerSecond();
  }

  /** p: the congestion price, from 0 to 1. */
  public double price(DataRate sent) {
    return settings().price(utilisation(sent));
  }

  /**
   * Takes in what all flows over the resource have sent in the last period. Where nobody wants
   * more, a low utilisation is no reason to offer more: then it stays as it is.
   */
  public NominalShare after(ResourceUse use) {
    boolean wanted = use.hungryWeight() > 0;
    double factor = 1 + settings().gain() * settings().balance(utilisation(use.sent()));
    if (!wanted && factor > 1) {
      return this;
    }
    double now = share().millibitsPerSecond();
    double most = Math.max(now, (double) capacity().millibitsPerSecond() * MOST);
    double next = Math.min(most, Math.ceil(now * Math.max(STEEPEST, factor)));
    return new AutoValue_NominalShare(
        capacity(),
        settings(),
        virtualAfter(use.sent()),
        atLeastSomething(Rates.ofMillibits(next)));
  }

  /** Kunniyur and Srikant 2001: more where the load is below what is wanted, less above it. */
  private DataRate virtualAfter(DataRate sent) {
    if (settings().adaptive().isEmpty()) {
      return virtualCapacity();
    }
    double wanted = settings().adaptive().getAsDouble() * capacity().millibitsPerSecond();
    double next =
        virtualCapacity().millibitsPerSecond() + ADAPTATION * (wanted - sent.millibitsPerSecond());
    double least = settings().virtual() * capacity().millibitsPerSecond() / 2;
    // At this one the load that settles is the wanted one.
    double most = wanted / settings().utilisation();
    return Rates.ofMillibits(Math.max(least, Math.min(most, next)));
  }

  /** The same where a bit of the flow takes {@code cost} of the resource, as in the air. */
  public DataRate offer(double weight, double cost, ResourceUse others) {
    return Rates.times(offer(weight * cost, others), 1 / cost);
  }

  /**
   * What one flow may send here: its part, by weight, of what the sated leave to the hungry, of
   * whom it is one as soon as it wants to be. Never less than its part among all: who is sated now
   * may have more than that only as long as nobody wants it.
   *
   * @param weight above 0
   * @param others all other flows over the resource
   */
  public DataRate offer(double weight, ResourceUse others) {
    if (!(weight > 0)) {
      throw new IllegalArgumentException(
          "The weight (" + weight + ") must be above 0. Maybe 1, or leave the flow out.");
    }
    double share = share().millibitsPerSecond();
    double hungry = others.hungryWeight() + weight;
    double left = (share - others.satedSent().millibitsPerSecond()) * weight / hungry;
    double least = share * weight / (hungry + others.satedWeight());
    return Rates.ofMillibits(Math.max(left, least));
  }
}
