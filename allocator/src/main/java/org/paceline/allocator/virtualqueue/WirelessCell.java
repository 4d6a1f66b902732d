package org.paceline.allocator.virtualqueue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.paceline.intents.unit.DataRate;

/**
 * The air of one access point, as linear constraints on the rates of the flows that share it. A
 * frame over a link takes T = T_C + T_O + frame seconds of air (equation 6), and the sum over all
 * frames of a second is at most 1 (equation 8). Gkantsidis et al. 2009, section 3.4.
 *
 * <p>T_C is equation 11 with its slips mended, see docs/algorithms/wireless-cells.md: idle slots
 * and collisions are counted for the channel, and a collision is paid by the longest of its frames,
 * so that a slow host's long collisions are as rare as its frames. O(n^2) for n transmitters.
 */
public final class WirelessCell {
  /** The whole air as a capacity, for {@link NominalShare}: a billion of units in a second. */
  public static final DataRate AIR = DataRate.ofBitsPerSecond(1_000_000_000);

  private static final int LEAST_WINDOW = 15;

  private final WirelessAccess access;
  private final Map<String, WirelessLink> links = new LinkedHashMap<>();
  private final Map<String, Double> contention = new HashMap<>();

  private WirelessCell(WirelessAccess access) {
    this.access = access;
  }

  /**
   * @param active the links that carry frames, of which transmitters contend for the air
   * @throws IllegalArgumentException if there is none, or two have one id
   */
  public static WirelessCell of(WirelessAccess access, Collection<WirelessLink> active) {
    WirelessCell cell = new WirelessCell(access);
    for (WirelessLink link : active) {
      if (cell.links.put(link.id(), link) != null) {
        throw new IllegalArgumentException(
            "The wireless link (" + link.id() + ") is there twice. Maybe it is another one.");
      }
    }
    if (cell.links.isEmpty()) {
      throw new IllegalArgumentException(
          "A wireless cell in which nobody transmits has no region. Maybe leave it out.");
    }
    cell.contend();
    return cell;
  }

  /** T_C of each transmitter. */
  private void contend() {
    Map<String, Double> lost = new TreeMap<>();
    for (String transmitter : transmitters()) {
      double seconds =
          of(transmitter).stream().mapToDouble(access::collision).average().orElseThrow();
      // In whole nanoseconds, so that a mean of equal ones is equal to them.
      lost.put(transmitter, Math.rint(seconds * 1e9) / 1e9);
    }
    int many = lost.size();
    double attempt = attemptProbability(many);
    double idle = WirelessAccess.SLOT * (1 - attempt) / (many * attempt);
    double oneBegins = many * attempt * Math.pow(1 - attempt, many - 1);
    double anyBegins = 1 - Math.pow(1 - attempt, many);
    double collisions = anyBegins / oneBegins - 1;
    lost.forEach(
        (transmitter, own) -> {
          double paid = 0;
          for (Map.Entry<String, Double> other : lost.entrySet()) {
            if (!other.getKey().equals(transmitter)) {
              // All of it where the other's is shorter, half where it is equal.
              paid += own * (1 + Math.signum(own - other.getValue())) / (many - 1);
            }
          }
          contention.put(transmitter, idle + collisions * paid);
        });
  }

  private Set<String> transmitters() {
    Set<String> transmitters = new TreeSet<>();
    links.values().forEach(link -> transmitters.add(link.transmitter()));
    return transmitters;
  }

  private List<WirelessLink> of(String transmitter) {
    List<WirelessLink> own = new ArrayList<>();
    for (WirelessLink link : links.values()) {
      if (link.transmitter().equals(transmitter)) {
        own.add(link);
      }
    }
    return own;
  }

  /** gamma(n), equation 10: the probability that a frame collides. */
  static double collisionProbability(int transmitters) {
    double root =
        Math.sqrt(LEAST_WINDOW * (LEAST_WINDOW - 2.0) + Math.pow(4.0 * transmitters - 3, 2));
    return (4.0 * transmitters + LEAST_WINDOW - 5 - root) / (2.0 * (LEAST_WINDOW - 2));
  }

  /** That a transmitter begins in a slot: a frame collides where any of the others does, too. */
  private static double attemptProbability(int transmitters) {
    if (transmitters == 1) {
      // Half the window of idle slots, then one with a frame.
      return 1 / (1 + LEAST_WINDOW / 2.0);
    }
    return 1 - Math.pow(1 - collisionProbability(transmitters), 1.0 / (transmitters - 1));
  }

  /**
   * T_ij: seconds of air that one frame takes.
   *
   * @throws IllegalArgumentException if the link is not in this cell
   */
  public double secondsPerFrame(String link) {
    WirelessLink one = link(link);
    return contention.getOrDefault(one.transmitter(), 0.0) + access.exchange(one);
  }

  private WirelessLink link(String id) {
    WirelessLink link = links.get(id);
    if (link == null) {
      throw new IllegalArgumentException(
          "The wireless link (" + id + ") is not in this cell. It has " + links.keySet() + ".");
    }
    return link;
  }

  /**
   * What rates of these flows the cell can carry, equation 8 in bit/s of payload: the part of the
   * air that they take is at most 1.
   *
   * @param flows the links of each flow, by its id; two where it goes from host to host
   */
  public List<LinearConstraint> region(Map<String, List<String>> flows) {
    return region(flows, Set.of());
  }

  /**
   * The same beside transmitters that nobody controls and that always have a frame (figure 10).
   * Contention gives each of them as many frames as the busiest of the others, so that there is one
   * constraint for each transmitter that may be the busiest: the region is convex, and its border
   * linear in pieces.
   *
   * @param interfering transmitters of this cell, of none of the flows' links
   */
  public List<LinearConstraint> region(Map<String, List<String>> flows, Set<String> interfering) {
    double theirs = 0;
    for (String transmitter : interfering) {
      theirs +=
          of(transmitter).stream()
              .mapToDouble(link -> secondsPerFrame(link.id()))
              .average()
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "The transmitter ("
                              + transmitter
                              + ") has no link in this cell. It has "
                              + transmitters()
                              + "."));
    }
    Set<String> busiest = transmitters();
    busiest.removeAll(interfering);
    List<LinearConstraint> constraints = new ArrayList<>();
    for (String transmitter : interfering.isEmpty() ? Set.of("") : busiest) {
      Map<String, Double> air = new TreeMap<>();
      for (Map.Entry<String, List<String>> flow : flows.entrySet()) {
        double seconds = 0;
        for (String id : flow.getValue()) {
          WirelessLink link = link(id);
          double beside = link.transmitter().equals(transmitter) ? theirs : 0;
          seconds += (secondsPerFrame(id) + beside) / link.payloadBits();
        }
        air.put(flow.getKey(), seconds);
      }
      constraints.add(LinearConstraint.of(air, 1));
    }
    return List.copyOf(constraints);
  }
}
