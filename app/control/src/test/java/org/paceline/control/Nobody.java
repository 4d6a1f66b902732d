package org.paceline.control;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.paceline.control.directive.RateDirective;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.PoolId;
import org.paceline.control.model.Unserved;
import org.paceline.control.port.Journal;
import org.paceline.control.port.KnownHosts;
import org.paceline.control.port.PathInstaller;
import org.paceline.control.port.RateSender;
import org.paceline.intents.network.Path;
import org.paceline.intents.unit.DataRate;

/** Where the network would be: nobody enforces or installs anything, and no host was ever known. */
public final class Nobody {
  private Nobody() {}

  public static class NoRates implements RateSender {
    @Override
    public void send(
        String host,
        long version,
        Map<Conversation, RateDirective> rates,
        Map<PoolId, DataRate> pools) {}

    @Override
    public void takeBack(String host, long version, Collection<Conversation> conversations) {}

    @Override
    public void endQuarantine(Conversation conversation) {}

    @Override
    public void release(Conversation conversation) {}

    @Override
    public void refuse(Conversation conversation, Unserved why) {}
  }

  public static final class NoPaths implements PathInstaller {
    @Override
    public CompletableFuture<Void> installApart(Conversation conversation, Path path) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Void> install(Conversation conversation, Path path) {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void matchedOtherwise(Conversation conversation) {}

    @Override
    public void remove(Conversation conversation) {}
  }

  /** Nobody reads what is written down, but a bug is shown. */
  public static class NoJournal implements Journal {
    @Override
    public void note(String sentence) {}

    @Override
    public void warn(String sentence) {}

    @Override
    public void fault(String sentence, Throwable bug) {
      bug.printStackTrace();
    }

    @Override
    public void planned(long version, String summary, String difference) {}
  }

  public static final class NoHosts implements KnownHosts {
    @Override
    public Set<String> all() {
      return Set.of();
    }

    @Override
    public void add(String host) {}

    @Override
    public void remove(String host) {}
  }
}
