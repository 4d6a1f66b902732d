package org.paceline.cli.webhooks;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.karaf.shell.api.action.Command;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.PacelineCommand;
import org.paceline.cli.table.Table;
import org.paceline.cli.table.Tone;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.webhook.DeliveryState;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.Webhooks;

/** Who is told of changes over HTTP, and how that goes. */
@Service
@Command(
    scope = "paceline",
    name = "webhooks",
    description = "Who is told of changes over HTTP, and how that goes",
    detailedDescription = "classpath:help/webhooks.txt")
public final class WebhooksCommand extends PacelineCommand<Webhooks> {
  public WebhooksCommand() {
    super(UseCases::webhooks);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Table table(Webhooks use) {
    return table(use.all(), use::state);
  }

  static Table table(List<Webhook> webhooks, Function<Webhook, DeliveryState> states) {
    Table table =
        new Table("id", "url", "events", "waiting", "delivered", "lost", "trouble")
            .toned("lost", Tone::ofTrouble)
            .toned("trouble", Tone::ofTrouble);
    for (Webhook webhook : webhooks) {
      DeliveryState state = states.apply(webhook);
      table.row(
          webhook.id(),
          webhook.url().toString(),
          words(webhook.kinds()),
          Integer.toString(state.waiting()),
          Long.toString(state.delivered()),
          Long.toString(state.lost()),
          state.trouble().orElse("-"));
    }
    table.conclude(
        webhooks.isEmpty() ? "Nobody is told." : webhooks.size() + " receivers are told.");
    return table;
  }

  static String words(Collection<Webhook.Kind> kinds) {
    return kinds.stream().map(Webhook.Kind::word).sorted().collect(Collectors.joining(" "));
  }
}
