package org.paceline.onos.flow;

import org.onosproject.net.flow.FlowRule;

/** A rule, and where on the way it stands. */
final class PlacedRule {
  final FlowRule rule;

  /** Part of the way that a pair's conversations share, be it one conversation's own first hop. */
  final boolean onCommon;

  /** How many switches lie behind it on the way: 0 at the last one before the receiver. */
  final int distance;

  PlacedRule(FlowRule rule, boolean onCommon, int distance) {
    this.rule = rule;
    this.onCommon = onCommon;
    this.distance = distance;
  }
}
