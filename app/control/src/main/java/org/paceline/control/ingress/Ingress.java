package org.paceline.control.ingress;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.paceline.allocator.elephant.AlphaRule;
import org.paceline.allocator.elephant.AlphaSums;
import org.paceline.control.model.Alarm;
import org.paceline.intents.address.IpAddress;
import org.paceline.intents.flow.FlowRecord;

/** What one exporter has told since its list was made, and whether it goes on telling. */
final class Ingress {
  /** Clocks differ, and exporters tell of a long flow when it ends. */
  private static final Duration FUTURE = Duration.ofMinutes(10);

  private static final Duration PAST = Duration.ofDays(1);

  /** Longer than any active timeout in use; a network without any flow is rare. */
  static final Duration SILENCE = Duration.ofMinutes(15);

  /** In which that many datagrams are more than an accident. */
  static final Duration WINDOW = Duration.ofMinutes(5);

  static final long MANY_MALFORMED = 10;

  private final IpAddress exporter;
  private final AlphaRule rule;
  private final int most;
  private AlphaSums sums;
  private long untimely;

  private ExporterCounts counts = ExporterCounts.NONE;
  private Instant changedAt;
  private boolean isHeard;
  private Instant windowFrom;
  private long malformedBefore;
  private long malformedInWindow;
  private Optional<Instant> alarmedSince = Optional.empty();

  /**
   * @param most how many sums there is room for
   */
  Ingress(IpAddress exporter, AlphaRule rule, int most, Instant now) {
    this.exporter = exporter;
    this.rule = rule;
    this.most = most;
    this.sums = new AlphaSums(rule, most);
    this.changedAt = now;
    this.windowFrom = now;
  }

  /** Whether it goes on by this rule in this room. */
  boolean goesBy(AlphaRule other, int room) {
    return rule.equals(other) && most == room;
  }

  synchronized void add(FlowRecord record, Instant now) {
    boolean isTimely =
        record.endMillis() <= now.plus(FUTURE).toEpochMilli()
            && record.startMillis() >= now.minus(PAST).toEpochMilli();
    if (isTimely) {
      sums.add(record);
    } else {
      untimely++;
    }
  }

  /** What it has told until now; what it tells from now on is summed up anew. */
  synchronized AlphaSums take() {
    AlphaSums taken = sums;
    sums = new AlphaSums(rule, most);
    return taken;
  }

  /** Takes in what has come until now. */
  synchronized void counted(ExporterCounts now, Instant at) {
    if (now.datagrams() < counts.datagrams()) {
      malformedBefore = 0;
    }
    if (now.datagrams() != counts.datagrams() || now.records() != counts.records()) {
      changedAt = at;
      isHeard = now.datagrams() > 0 || now.records() > 0;
    }
    counts = now;
    if (!at.isBefore(windowFrom.plus(WINDOW))) {
      malformedInWindow = counts.malformed() - malformedBefore;
      malformedBefore = counts.malformed();
      windowFrom = at;
    } else {
      malformedInWindow = Math.max(malformedInWindow, counts.malformed() - malformedBefore);
    }
  }

  /** What is wrong with it. */
  synchronized Optional<Alarm> alarm(Instant at) {
    Optional<String> sentence = sentence(at);
    alarmedSince = sentence.map(any -> alarmedSince.orElse(at));
    return sentence.map(
        text -> Alarm.ofExporter(exporter.toString(), text, alarmedSince.orElse(at)));
  }

  private Optional<String> sentence(Instant at) {
    if (!at.isBefore(changedAt.plus(SILENCE))) {
      return Optional.of(
          "The exporter "
              + exporter
              + (isHeard ? " has sent no flow record since " : " was never heard, since ")
              + changedAt
              + ". Maybe it sends to another port, or a firewall drops it.");
    }
    if (malformedInWindow >= MANY_MALFORMED) {
      return Optional.of(
          "Of the exporter "
              + exporter
              + " "
              + malformedInWindow
              + " datagrams within "
              + WINDOW.toMinutes()
              + " minutes are no NetFlow 5, NetFlow 9 or IPFIX that can be read. Maybe it sends"
              + " sFlow, or somebody else sends by its address.");
    }
    return Optional.empty();
  }

  synchronized IngressState.Builder state() {
    return IngressState.builder()
        .counts(Optional.of(counts))
        .heardAt(isHeard ? Optional.of(changedAt) : Optional.empty())
        .sums(sums.size())
        .letGoBytes(sums.letGoBytes())
        .untimely(untimely);
  }
}
