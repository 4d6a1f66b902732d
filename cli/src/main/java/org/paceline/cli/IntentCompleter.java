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

/** Completes the nodes of the intent tree. */
@Service
public final class IntentCompleter implements Completer {
  @Reference @Nullable UseCases useCases;

  @Override
  public int complete(Session session, CommandLine commandLine, List<String> candidates) {
    StringsCompleter intents = new StringsCompleter();
    UseCases use = useCases;
    if (use != null) {
      use.policies()
          .tree()
          .policies()
          .keySet()
          .forEach(path -> intents.getStrings().add(path.toString()));
    }
    return intents.complete(session, commandLine, candidates);
  }
}
