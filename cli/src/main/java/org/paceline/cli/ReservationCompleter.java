package org.paceline.cli;

import java.util.List;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.jspecify.annotations.Nullable;
import org.paceline.control.UseCases;

/** Completes the ids of reservations. */
@Service
public final class ReservationCompleter implements Completer {
  @Reference @Nullable UseCases useCases;

  @Override
  public int complete(Session session, CommandLine commandLine, List<String> candidates) {
    StringsCompleter ids = new StringsCompleter();
    UseCases use = useCases;
    if (use != null) {
      use.reservations().all().forEach(one -> ids.getStrings().add(one.id()));
    }
    return ids.complete(session, commandLine, candidates);
  }
}
