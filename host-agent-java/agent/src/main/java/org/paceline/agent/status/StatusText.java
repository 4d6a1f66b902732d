package org.paceline.agent.status;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.paceline.agent.pacing.Lease;
import org.paceline.agent.sockets.TcpInfo;

/** How things are, for a person. */
public final class StatusText {
  private static final String ROW = "%-14s %-32s %-46s %10s %10s %10s %8s %10s %8s%n";

  private StatusText() {}

  public static String of(AgentStatus view) {
    StringBuilder text = new StringBuilder();
    text.append("host ").append(view.host()).append(", ").append(view.pacing()).append('\n');
    view.controller().ifPresent(controller -> controller(controller, text));
    view.peers().ifPresent(peers -> text.append(PeersText.of(peers)));
    view.names().ifPresent(names -> text.append(names).append('\n'));
    if (!view.conversations().isEmpty()) {
      text.append(
          String.format(
              ROW,
              "conversation",
              "intent",
              "between",
              "granted",
              "installed",
              "measured",
              "sockets",
              "sent again",
              "rtt ms"));
    }
    List<AgentStatus.Row> ordered =
        view.conversations().stream()
            .sorted(
                Comparator.comparingLong((AgentStatus.Row row) -> row.rates().measured())
                    .reversed())
            .toList();
    for (AgentStatus.Row one : ordered) {
      text.append(
          String.format(
              ROW,
              one.id(),
              one.intent(),
              one.ends().local() + " " + one.ends().arrow() + " " + remote(one.ends()),
              one.rates().granted() == 0 ? "-" : kbit(one.rates().granted()),
              kbit(one.rates().installed()),
              kbit(one.rates().measured()),
              one.sockets(),
              one.tcp().map(tcp -> Long.toString(tcp.retransmittedSegments())).orElse("-"),
              one.tcp().map(TcpInfo::smoothedRttMicros).map(StatusText::millis).orElse("-")));
    }
    return text.append(ordered.size()).append(" conversations; rates in kbit/s\n").toString();
  }

  private static void controller(AgentStatus.Controller controller, StringBuilder text) {
    text.append("controller ")
        .append(controller.address())
        .append(
            controller.attached()
                ? ": attached, plan " + controller.planVersion()
                : ": away, trying again")
        .append('\n');
    text.append(
            controller.relaxed() == 0
                ? "rates are as granted"
                : "rates are relaxed, step " + controller.relaxed() + " of " + Lease.OVER)
        .append('\n');
  }

  private static String remote(AgentStatus.Ends one) {
    return one.remote() + (one.remoteName().isEmpty() ? "" : " " + one.remoteName());
  }

  private static String millis(long micros) {
    return micros == 0 ? "-" : String.format(Locale.ROOT, "%.1f", micros / 1e3);
  }

  private static String kbit(long bitsPerSecond) {
    return String.format(Locale.ROOT, "%.1f", bitsPerSecond / 1e3);
  }
}
