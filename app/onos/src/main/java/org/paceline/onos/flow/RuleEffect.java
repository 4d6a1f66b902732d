package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Set;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.instructions.Instruction;

/** What a flow rule does with the packets that it matches. */
@AutoValue
abstract class RuleEffect {
  abstract List<Instruction> instructions();

  abstract Set<Instruction> meters();

  static RuleEffect of(FlowRule rule) {
    return new AutoValue_RuleEffect(
        List.copyOf(rule.treatment().allInstructions()), Set.copyOf(rule.treatment().meters()));
  }

  /** For a person. */
  @Override
  public final String toString() {
    return instructions() + " " + meters();
  }
}
