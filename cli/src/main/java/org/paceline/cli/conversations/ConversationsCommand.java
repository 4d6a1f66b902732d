package org.paceline.cli.conversations;

import java.util.Collection;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.policy.IntentCompleter;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.cli.table.Words;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.ConversationState;
import org.paceline.control.model.Proof;
import org.paceline.control.view.ConversationView;
import org.paceline.control.view.Word;
import org.paceline.intents.tree.IntentPath;

/** Who talks, and what each was granted, has installed and sends. */
@Service
@Command(
    scope = "paceline",
    name = "conversations",
    description = "Who talks: requested, granted, installed and measured",
    detailedDescription = "classpath:help/conversations.txt")
public final class ConversationsCommand extends PacelineCommand<ConversationService> {
  @Option(name = "--host", description = "Only those of this host")
  @Completion(HostCompleter.class)
  String host = "";

  @Option(name = "--user", description = "Only those of this user")
  @Completion(UserCompleter.class)
  String user = "";

  @Option(name = "--state", description = "Only those that are granted, unserved, and so on")
  @Completion(
      value = StringsCompleter.class,
      values = {"seen", "granted", "recommended", "unserved", "closing"})
  String state = "";

  @Option(name = "--intent", description = "Only those in this branch of the tree: CLASS/INTENT")
  @Completion(IntentCompleter.class)
  String intent = "";

  public ConversationsCommand() {
    super(UseCases::conversations);
  }

  @Override
  protected Table table(ConversationService use) {
    return table(use.proofs().all().stream().filter(this::isWanted).collect(Collectors.toList()));
  }

  private boolean isWanted(Proof proof) {
    return (host.isEmpty() || host.equals(proof.conversation().id().host()))
        && (user.isEmpty() || user.equals(proof.conversation().user()))
        && (state.isEmpty() || state.equals(Word.of(proof.state())))
        && (intent.isEmpty() || proof.requested().asked().isWithin(IntentPath.parse(intent)));
  }

  /**
   * @throws IllegalArgumentException if there is none of this name
   */
  static Proof find(ConversationService use, String name) {
    return ConversationId.tryParse(name)
        .flatMap(use.proofs()::find)
        .orElseThrow(() -> absent(name));
  }

  public static IllegalArgumentException absent(String name) {
    return new IllegalArgumentException(
        "There is no conversation ("
            + name
            + "). Maybe \"paceline:conversations\" lists the one that you mean.");
  }

  /** As the host that announced it calls the other end: for what it receives, the sender. */
  private static String name(Proof proof, boolean incoming) {
    return proof.conversation().incoming() == incoming ? proof.conversation().remoteName() : "";
  }

  private static String end(String address, String name) {
    return name.isEmpty() ? address : address + " " + name;
  }

  static Table table(Collection<Proof> proofs) {
    Table table =
        new Table(
                "conversation",
                "intent",
                "from",
                "to",
                "state",
                "granted",
                "lent",
                "installed",
                "measured",
                "utility",
                "experienced",
                "reason")
            .toned("state", Tone::ofState);
    long served = 0;
    long recommended = 0;
    for (Proof proof : proofs) {
      served += proof.state() == ConversationState.GRANTED ? 1 : 0;
      recommended += proof.state() == ConversationState.RECOMMENDED ? 1 : 0;
      ConversationView view = ConversationView.of(proof);
      table.row(
          proof.conversation().id().toString(),
          proof.requested().node().toString(),
          end(proof.conversation().localAddress(), name(proof, true)),
          end(proof.conversation().remoteAddress(), name(proof, false)),
          view.state(),
          Words.rate(view.granted()),
          Words.rate(view.lent()),
          Words.installed(view),
          Words.rate(proof.measured()),
          Words.utility(view.utility()),
          Words.utility(view.experienced()),
          proof.reason());
    }
    table.conclude(
        served
            + " of "
            + proofs.size()
            + " conversations are granted."
            + (recommended == 0
                ? ""
                : " " + recommended + " have a rate that is only recommended."));
    return table;
  }
}
