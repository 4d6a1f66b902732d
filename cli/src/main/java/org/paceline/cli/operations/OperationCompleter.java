package org.paceline.cli.operations;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.UseCases;
import org.paceline.control.operations.Operation;
import org.paceline.control.operations.Operations;

/** Completes the ids of the user's operations. */
@Service
public final class OperationCompleter extends NameCompleter<Operations> {
  public OperationCompleter() {
    super(UseCases::operations);
  }

  @Override
  protected Stream<String> names(Operations use) {
    return OperationsCommand.mine(use).stream().map(Operation::id);
  }
}
