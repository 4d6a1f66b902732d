package org.paceline.northbound.login;

import java.security.AccessController;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;
import javax.security.auth.Subject;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.CommandSessionListener;
import org.apache.karaf.jaas.boot.principal.UserPrincipal;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.paceline.control.settings.Witness;

/**
 * Remembers for some moments who said what in Karaf's shell. ONOS tells that a setting is another,
 * but not who set it, and does so on a thread of its own.
 */
public final class ShellWitness implements CommandSessionListener, Witness {
  private static final Duration MEMORY = Duration.ofSeconds(10);
  private static final int MOST = 100;

  private final Clock clock;
  private final Deque<Said> said = new ArrayDeque<>();

  ShellWitness(Clock clock) {
    this.clock = clock;
  }

  /** Listens until it is closed: Karaf tells whoever is a service of this kind. */
  public static ShellWitness open(
      BundleContext bundle, Clock clock, Consumer<AutoCloseable> closers) {
    ShellWitness witness = new ShellWitness(clock);
    ServiceRegistration<?> service =
        bundle.registerService(CommandSessionListener.class.getName(), witness, null);
    closers.accept(service::unregister);
    return witness;
  }

  @Override
  public void beforeExecute(CommandSession session, CharSequence command) {
    Subject subject = Subject.getSubject(AccessController.getContext());
    if (subject != null) {
      subject.getPrincipals(UserPrincipal.class).stream()
          .findFirst()
          .ifPresent(user -> heard(user.getName(), command.toString()));
    }
  }

  synchronized void heard(String user, String line) {
    said.addFirst(new Said(user, line, clock.instant()));
    if (said.size() > MOST) {
      said.removeLast();
    }
  }

  @Override
  public void afterExecute(CommandSession session, CharSequence command, Exception exception) {
    // What failed may have changed something before.
  }

  @Override
  public void afterExecute(CommandSession session, CharSequence command, Object result) {
    // Who began it is known.
  }

  /** Who said the setting's name, and its value where it has one, within the last moments. */
  @Override
  public synchronized Optional<String> whoSet(String name, Optional<String> after) {
    Instant oldest = clock.instant().minus(MEMORY);
    return said.stream()
        .filter(one -> one.at.isAfter(oldest))
        .filter(one -> one.line.contains(name) && after.map(one.line::contains).orElse(true))
        .map(one -> one.user)
        .findFirst();
  }

  private static final class Said {
    private final String user;
    private final String line;
    private final Instant at;

    Said(String user, String line, Instant at) {
      this.user = user;
      this.line = line;
      this.at = at;
    }
  }
}
