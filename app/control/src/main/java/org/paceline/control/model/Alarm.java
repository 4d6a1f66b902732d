package org.paceline.control.model;

import com.google.auto.value.AutoValue;
import java.time.Instant;
import java.util.Optional;

/** Something that is not as it should be and could not be put right. */
@AutoValue
public abstract class Alarm {
  /** Empty where it is not about one. */
  public abstract Optional<ConversationId> conversation();

  /** The name of the setting; empty where it is not about one. */
  public abstract Optional<String> setting();

  /** For a person: what is wrong, and what was tried. */
  public abstract String sentence();

  /** When it was first seen. */
  public abstract Instant since();

  public static Alarm of(ConversationId conversation, String sentence, Instant since) {
    return new AutoValue_Alarm(Optional.of(conversation), Optional.empty(), sentence, since);
  }

  /**
   * @param setting its name
   */
  public static Alarm ofSetting(String setting, String sentence, Instant since) {
    return new AutoValue_Alarm(Optional.empty(), Optional.of(setting), sentence, since);
  }

  /** What it is about, as a person reads it: no two things have the same. */
  public final String about() {
    return conversation()
        .map(id -> "conversation " + id)
        .orElseGet(() -> "setting " + setting().orElse(""));
  }
}
