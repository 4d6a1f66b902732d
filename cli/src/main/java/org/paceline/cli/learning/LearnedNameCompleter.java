package org.paceline.cli.learning;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.LearningService;
import org.paceline.control.api.UseCases;
import org.paceline.control.experience.LearnedTable;

/** Completes the names of utility functions of which there are reports. */
@Service
public final class LearnedNameCompleter extends NameCompleter<LearningService> {
  public LearnedNameCompleter() {
    super(UseCases::learning);
  }

  @Override
  protected Stream<String> names(LearningService use) {
    return use.tables().stream().map(LearnedTable::name);
  }
}
