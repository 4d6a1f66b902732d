package org.paceline.cli.conversations;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.policy.IntentCompleter;
import org.paceline.cli.table.Table;
import org.paceline.control.api.ConversationService;
import org.paceline.control.api.UseCases;
import org.paceline.control.model.Conversation;
import org.paceline.control.model.Proof;
import org.paceline.control.model.Transport;
import org.paceline.intents.address.CanonicalAddress;

/** Announces a conversation of a host without an agent; the very same once more changes nothing. */
@Service
@Command(
    scope = "paceline",
    name = "conversation-announce",
    description = "Announces a conversation of a host without an agent",
    detailedDescription = "classpath:help/announced.txt")
public final class ConversationAnnounceCommand extends ChangingCommand<ConversationService> {
  @Argument(name = "name", required = true, description = "A name for it, of your choice")
  String name = "";

  @Argument(index = 1, name = "intent", required = true, description = "CLASS/INTENT")
  @Completion(IntentCompleter.class)
  String intent = "";

  @Argument(index = 2, name = "from", required = true, description = "The address that sends")
  String from = "";

  @Argument(index = 3, name = "to", required = true, description = "The address that receives")
  String to = "";

  @Argument(
      index = 4,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(name = "--protocol", description = "Only what goes by tcp or udp; without, any")
  @Completion(
      value = StringsCompleter.class,
      values = {"tcp", "udp", "any"})
  String protocol = "any";

  @Option(name = "--from-port", description = "Only what is sent from this port; without, any")
  int fromPort;

  @Option(name = "--to-port", description = "Only what is sent to this port; without, any")
  int toPort;

  public ConversationAnnounceCommand() {
    super(UseCases::conversations);
  }

  @Override
  protected Table table(ConversationService use) {
    Conversation conversation =
        ConversationService.conversation(name)
            .intent(intent)
            .localAddress(CanonicalAddress.of(from))
            .remoteAddress(CanonicalAddress.of(to))
            .transport(Transport.parse(protocol))
            .localPort(fromPort)
            .remotePort(toPort)
            .build();
    String line =
        "paceline:conversation-announce --protocol "
            + protocol
            + (" --from-port " + fromPort + " --to-port " + toPort + " ")
            + String.join(" ", name, intent, from, to);
    boolean isNew = use.announce(user(), author(), line, conversation);
    List<Proof> proofs = use.proofs().find(conversation.id()).map(List::of).orElse(List.of());
    Table table = ConversationsCommand.table(proofs);
    table.conclude(
        "The conversation ("
            + conversation.id()
            + (isNew ? ") is announced." : ") was announced already, just so: nothing changes."));
    return table;
  }
}
