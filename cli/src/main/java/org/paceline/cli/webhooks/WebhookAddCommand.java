package org.paceline.cli.webhooks;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.Option;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.apache.karaf.shell.support.completers.StringsCompleter;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.Webhooks;

/**
 * Has an address told of changes. The secret is made here and shown once: on a command line it
 * would stay in the shell's history.
 */
@Service
@Command(
    scope = "paceline",
    name = "webhook-add",
    description = "Has an address told of changes; shows the secret that signs them, once",
    detailedDescription = "classpath:help/webhooks.txt")
public final class WebhookAddCommand extends ChangingCommand<Webhooks> {
  @Argument(name = "url", required = true, description = "Such as https://itsm.example/paceline")
  String url = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  @Option(
      name = "--event",
      multiValued = true,
      description = "Only of policy, reservation or alarm; may be given again; without, of all")
  @Completion(
      value = StringsCompleter.class,
      values = {"policy", "reservation", "alarm"})
  List<String> events = List.of();

  public WebhookAddCommand() {
    super(UseCases::webhooks);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(Webhooks use) {
    Set<Webhook.Kind> kinds =
        events.isEmpty()
            ? EnumSet.allOf(Webhook.Kind.class)
            : events.stream().map(Webhook.Kind::parse).collect(Collectors.toSet());
    // Every viewer reads what is kept of it.
    String line =
        "paceline:webhook-add (" + WebhooksCommand.words(kinds) + ") " + Webhook.place(url);
    return table(use.register(author(), line, url, kinds, Webhook.newSecret()));
  }

  static Table table(Webhook webhook) {
    Table table = new Table("id", "url", "events", "secret");
    table.row(
        webhook.id(),
        webhook.url().toString(),
        WebhooksCommand.words(webhook.kinds()),
        webhook.secret());
    table.conclude(
        "The receiver needs the secret to check what it is told; it is not shown again.");
    return table;
  }
}
