package org.paceline.cli.webhooks;

import java.util.List;
import org.apache.karaf.shell.api.action.Argument;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.Completion;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.ChangingCommand;
import org.paceline.cli.LateOptionCompleter;
import org.paceline.cli.LateOptions;
import org.paceline.cli.table.Table;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.webhook.Webhooks;

/** Has an address told of nothing any more. */
@Service
@Command(
    scope = "paceline",
    name = "webhook-remove",
    description = "Has an address told of nothing any more",
    detailedDescription = "classpath:help/webhooks.txt")
public final class WebhookRemoveCommand extends ChangingCommand<Webhooks> {
  @Argument(name = "webhook", required = true, description = "As paceline:webhooks lists it")
  @Completion(WebhookCompleter.class)
  String webhook = "";

  @Argument(
      index = 1,
      name = LateOptions.NAME,
      multiValued = true,
      description = LateOptions.DESCRIPTION)
  @Completion(LateOptionCompleter.class)
  List<String> late = List.of();

  public WebhookRemoveCommand() {
    super(UseCases::webhooks);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(Webhooks use) {
    if (!use.remove(author(), webhook)) {
      throw new IllegalArgumentException(
          "There is no webhook ("
              + webhook
              + "). Maybe \"paceline:webhooks\" lists the one that you mean.");
    }
    return new WebhooksCommand().table(use);
  }
}
