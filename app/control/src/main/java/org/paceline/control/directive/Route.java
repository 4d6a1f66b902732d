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

  /** Whether its packets are marked, so that each port on the path puts them with the elephants. */
  public abstract boolean isApart();

  public static Route of(SchemeName owner, Reason reason, ConversationId conversation, Path path) {
    return new AutoValue_Route(owner, reason, conversation, path, false);
  }

  /** The path of an elephant. */
  public static Route apart(
      SchemeName owner, Reason reason, ConversationId conversation, Path path) {
    return new AutoValue_Route(owner, reason, conversation, path, true);
  }

  /** Whether packets go the same way and into the same queues. */
  public final boolean leadsAs(Route other) {
    return path().equals(other.path()) && isApart() == other.isApart();
  }

  /** The same path for another reason. */
  Route because(Reason other) {
    return new AutoValue_Route(owner(), other, conversation(), path(), isApart());
  }

  @Override
  public final Kind kind() {
    return Kind.ROUTE;
  }
}
