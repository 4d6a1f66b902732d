package org.paceline.cli.operations;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.UseCases;
import org.paceline.control.operations.Operation;

/** Completes the ids of the user's operations. */
@Service
public final class OperationCompleter extends NameCompleter {
  @Override
  protected Stream<String> names(UseCases use) {
    return OperationsCommand.mine(use).stream().map(Operation::id);
  }
}
