package org.paceline.control.directive;

import com.google.auto.value.AutoValue;
import org.paceline.control.model.ConversationId;
import org.paceline.intents.network.Path;
import org.paceline.intents.tree.SchemeName;

/** A conversation's packets are to take a path. */
@AutoValue
public abstract class Route implements ConversationDirective {
  @Override
  public abstract SchemeName owner();

  @Override
  public abstract Reason reason();

  @Override
  public abstract ConversationId conversation();

  public abstract Path path();

  public static Route of(SchemeName owner, Reason reason, ConversationId conversation, Path path) {
    return new AutoValue_Route(owner, reason, conversation, path);
  }

  @Override
  public final Kind kind() {
    return Kind.ROUTE;
  }
}
