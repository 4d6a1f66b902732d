package org.paceline.cli;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Reference;
import org.apache.karaf.shell.api.console.CommandLine;
import org.apache.karaf.shell.api.console.Completer;
import org.apache.karaf.shell.api.console.Session;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;

/**
 * What all completers share: they complete to whatever has a name at this moment, for whoever may
 * look.
 */
public abstract class NameCompleter<S> implements Completer {
  @Reference @Nullable BundleContext bundle;

  private final Function<UseCases, S> service;

  /**
   * @param service the one that knows the names
   */
  protected NameCompleter(Function<UseCases, S> service) {
    this.service = service;
  }

  @Override
  public final int complete(Session session, CommandLine commandLine, List<String> candidates) {
    StringsCompleter strings = new StringsCompleter();
    if (ShellUser.current().holds(needs())) {
      Application.find(bundle)
          .map(service)
          .ifPresent(use -> names(use).forEach(strings.getStrings()::add));
    }
    return strings.complete(session, commandLine, candidates);
  }

  /** Who may read these names. */
  protected Role needs() {
    return Role.VIEWER;
  }

  protected abstract Stream<String> names(S use);
}
