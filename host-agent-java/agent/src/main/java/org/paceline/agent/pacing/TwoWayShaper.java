package org.paceline.agent.pacing;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.agent.enforce.ClassChanges;
import org.paceline.agent.enforce.ClassKey;
import org.paceline.agent.enforce.ClassStatistics;
import org.paceline.agent.enforce.InheritedState;
import org.paceline.agent.enforce.Shaper;
import org.paceline.agent.enforce.ingress.IngressShaper;
import org.paceline.agent.flow.Direction;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.naming.RuleSet;

/**
 * One mechanism for what this host sends, another for what it receives, unless nothing here can
 * hold that.
 */
final class TwoWayShaper implements Shaper {
  private final Shaper out;
  private final Optional<IngressShaper> in;

  TwoWayShaper(Shaper out, Optional<IngressShaper> in) {
    this.out = out;
    this.in = in;
  }

  private Shaper of(String device) {
    return device.equals(IngressShaper.DEVICE) ? in.orElseThrow() : out;
  }

  @Override
  public void begin(Collection<String> devices, RuleSet rules, Optional<InheritedState> inherited)
      throws IOException {
    List<String> outgoing =
        devices.stream().filter(device -> !device.equals(IngressShaper.DEVICE)).toList();
    out.begin(outgoing, rules, inherited.map(i -> i.only(Direction.OUT)));
    if (in.isPresent()) {
      in.get().begin(List.of(IngressShaper.DEVICE), rules, inherited);
    }
  }

  @Override
  public void root(String device) throws IOException {
    of(device).root(device);
  }

  @Override
  public long expressible(String device, long bitsPerSecond) {
    return of(device).expressible(device, bitsPerSecond);
  }

  @Override
  public boolean hasPool(String device) {
    return of(device).hasPool(device);
  }

  @Override
  public boolean ranks(String device) {
    return of(device).ranks(device);
  }

  @Override
  public List<String> apply(String device, ClassChanges changes) throws IOException {
    return of(device).apply(device, changes);
  }

  @Override
  public Map<Integer, ClassStatistics> all(String device) throws IOException {
    return of(device).all(device);
  }

  @Override
  public Map<Integer, ClassStatistics> some(String device, Collection<Integer> minors)
      throws IOException {
    return of(device).some(device, minors);
  }

  @Override
  public boolean restsClasses(String device) {
    return of(device).restsClasses(device);
  }

  @Override
  public void classify(Map<ClassKey, Integer> put, Collection<ClassKey> taken, List<Flow> forgotten)
      throws IOException {
    change(out, Direction.OUT, put, taken, forgotten);
    if (in.isPresent()) {
      change(in.get(), Direction.IN, put, taken, forgotten);
    }
  }

  private static void change(
      Shaper of,
      Direction way,
      Map<ClassKey, Integer> put,
      Collection<ClassKey> taken,
      List<Flow> forgotten)
      throws IOException {
    Map<ClassKey, Integer> own = new HashMap<>(put);
    own.keySet().removeIf(key -> key.direction() != way);
    of.classify(
        own,
        taken.stream().filter(key -> key.direction() == way).toList(),
        forgotten.stream().filter(flow -> flow.direction() == way).toList());
  }

  @Override
  public boolean hearsFirstPackets() throws IOException {
    return out.hearsFirstPackets();
  }

  @Override
  public List<Long> helpers() {
    return out.helpers();
  }

  @Override
  public void close() throws IOException {
    out.close();
    in.ifPresent(IngressShaper::close);
  }
}
