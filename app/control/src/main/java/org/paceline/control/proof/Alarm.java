package org.paceline.control.proof;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import org.paceline.control.conversations.ConversationId;

/** Something about a conversation that is not as it should be and could not be put right. */
@AutoValue
public abstract class Alarm {
  public abstract ConversationId conversation();

  /** For a person: what is wrong, and what was tried. */
  public abstract String sentence();

  /** When it was first seen. */
  public abstract Instant since();

  public static Alarm of(ConversationId conversation, String sentence, Instant since) {
    return new AutoValue_Alarm(conversation, sentence, since);
  }
}
