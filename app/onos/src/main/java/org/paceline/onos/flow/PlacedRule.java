package org.paceline.onos.flow;

import org.onosproject.net.flow.FlowRule;

/** A rule, and how many switches lie behind it on the way. */
final class PlacedRule {
  final FlowRule rule;

  /** 0 at the last switch before the receiver. */
  final int distance;

  PlacedRule(FlowRule rule, int distance) {
    this.rule = rule;
    this.distance = distance;
  }
}
