package org.paceline.onos.flow;

import com.google.auto.value.AutoValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.TableTypeTransition;

/**
 * What a flow rule does with the packets that it matches. ONOS's own equality of treatments
 * overlooks meters, and its list of instructions the next table.
 */
@AutoValue
public abstract class RuleEffect {
  abstract List<Instruction> instructions();

  abstract Set<Instruction> meters();

  abstract Optional<Integer> nextTable();

  static RuleEffect of(FlowRule rule) {
    TrafficTreatment treatment = rule.treatment();
    return new AutoValue_RuleEffect(
        List.copyOf(treatment.allInstructions()),
        Set.copyOf(treatment.meters()),
        nextTable(treatment));
  }

  /** Whether two rules do the same. Copies nothing: there may be 100,000 of a switch. */
  public static boolean isSame(FlowRule a, FlowRule b) {
    return a.treatment().allInstructions().equals(b.treatment().allInstructions())
        && a.treatment().meters().equals(b.treatment().meters())
        && nextTable(a.treatment()).equals(nextTable(b.treatment()));
  }

  private static Optional<Integer> nextTable(TrafficTreatment treatment) {
    return Optional.ofNullable(treatment.tableTransition()).map(TableTypeTransition::tableId);
  }

  /** For a person. */
  @Override
  public final String toString() {
    return instructions()
        + " "
        + meters()
        + nextTable().map(table -> " and on to table " + table).orElse("");
  }
}
