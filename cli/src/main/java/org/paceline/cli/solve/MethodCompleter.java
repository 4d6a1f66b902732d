package org.paceline.cli.solve;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.SolverService;
import org.paceline.control.api.UseCases;
import org.paceline.control.settings.SolverMethod;

/** Completes the methods of solvers. */
@Service
public final class MethodCompleter extends NameCompleter<SolverService> {
  public MethodCompleter() {
    super(UseCases::solver);
  }

  @Override
  protected Stream<String> names(SolverService use) {
    return SolverMethod.words().stream();
  }
}
