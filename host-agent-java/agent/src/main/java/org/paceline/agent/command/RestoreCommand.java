package org.paceline.agent.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.paceline.agent.enforce.socket.SocketLimits;
import org.paceline.agent.runtime.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** For the guardian of an agent that was killed: sockets get back what they had before it. */
@Command(name = "restore", hidden = true)
public final class RestoreCommand implements Callable<Integer> {
  @Parameters(index = "0")
  private Path sockets = Path.of("");

  @Override
  public Integer call() throws IOException {
    SocketLimits.restore(sockets);
    return ExitCode.OK;
  }
}
