package org.paceline.cli.conversations;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.StateService;
import org.paceline.control.api.UseCases;
import org.paceline.control.view.ConversationView;
import org.paceline.control.view.StateView;
import org.paceline.intents.unit.DataRate;

/** Who sends most, again and again until Ctrl-C; once where nobody sits at a terminal. */
@Service
@Command(
    scope = "paceline",
    name = "top",
    description = "Who sends most, again every second until Ctrl-C",
    detailedDescription = "classpath:help/top.txt")
public final class TopCommand extends PacelineCommand<StateService> {
  private static final int USUAL = 20;
  private static final int MILLIS = 1_000;

  @Option(name = "--rows", description = "How many conversations (20)")
  int rows = USUAL;

  @Option(name = "--once", description = "Look once and end, as it does where there is no terminal")
  boolean once;

  public TopCommand() {
    super(UseCases::state);
  }

  @Override
  protected Table table(StateService use) {
    return table(use.conversations(), use.now(), rows);
  }

  @Override
  protected void show(StateService use) throws Exception {
    if (once || json || !screen().isTerminal()) {
      super.show(use);
      return;
    }
    ExecutorService painter = Executors.newSingleThreadExecutor(TopCommand::painter);
    try {
      // Until Ctrl-C, which interrupts this thread.
      while (true) {
        paint(painter, screen().clear() + table(use).asText(screen()));
        Thread.sleep(MILLIS);
      }
    } finally {
      painter.shutdown();
      // What is half painted comes before the next prompt.
      painter.awaitTermination(1, TimeUnit.SECONDS);
    }
  }

  /**
   * By another thread: one that is interrupted while it writes leaves the terminal's channel
   * broken, and whoever sits there sees nothing any more.
   */
  private void paint(ExecutorService painter, String text) throws Exception {
    PrintStream terminal = terminal();
    painter
        .submit(
            () -> {
              terminal.println(text);
              terminal.flush();
            })
        .get();
  }

  private static Thread painter(Runnable work) {
    Thread thread = new Thread(work, "paceline-top");
    thread.setDaemon(true);
    return thread;
  }

  static Table table(List<ConversationView> conversations, StateView now, int rows) {
    Table table =
        new Table(
                "conversation",
                "intent",
                "process",
                "measured",
                "granted",
                "lent",
                "used",
                "utility",
                "experienced",
                "state")
            .toned("state", Tone::ofState);
    List<ConversationView> all = new ArrayList<>(conversations);
    all.sort(Comparator.comparing(ConversationView::sent).reversed());
    DataRate sum = all.stream().map(ConversationView::sent).reduce(DataRate.ZERO, DataRate::plus);
    for (ConversationView one : all.subList(0, Math.min(Math.max(0, rows), all.size()))) {
      table.row(
          one.id().toString(),
          one.proof().requested().asked().toString(),
          Words.orNone(one.proof().conversation().process()),
          Words.rate(one.proof().measured()),
          Words.rate(one.granted()),
          Words.rate(one.lent()),
          one.usedPercent().map(percent -> percent + " %").orElse(Words.NONE),
          Words.utility(one.utility()),
          Words.utility(one.experienced()),
          one.state());
    }
    table.conclude(
        all.size()
            + " conversations send "
            + Words.rate(sum)
            + "; plan "
            + now.plan().version()
            + ", least utility "
            + Words.utility(now.summary().minimumUtility())
            + "; beside the rules "
            + Words.beside(now)
            + "."
            + Words.shadow(now.mode())
            + now.notes().stream().map(note -> "\n" + note).collect(Collectors.joining()));
    return table;
  }
}
