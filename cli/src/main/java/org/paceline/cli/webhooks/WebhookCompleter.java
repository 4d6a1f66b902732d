package org.paceline.cli.webhooks;

import java.util.stream.Stream;
import org.apache.karaf.shell.api.action.lifecycle.Service;
import org.paceline.cli.NameCompleter;
import org.paceline.control.api.UseCases;
import org.paceline.control.audit.Role;
import org.paceline.control.webhook.Webhook;
import org.paceline.control.webhook.Webhooks;

/** Completes the ids of webhooks. */
@Service
public final class WebhookCompleter extends NameCompleter<Webhooks> {
  public WebhookCompleter() {
    super(UseCases::webhooks);
  }

  @Override
  protected Role needs() {
    return Role.ADMIN;
  }

  @Override
  protected Stream<String> names(Webhooks use) {
    return use.all().stream().map(Webhook::id);
  }
}
