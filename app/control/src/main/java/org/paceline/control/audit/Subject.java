package org.paceline.control.audit;

import com.google.auto.value.AutoValue;
import java.util.Locale;

/** What a change concerns: where to look, after a crash, whether it was made. */
@AutoValue
public abstract class Subject {
  /** The rooms of the store. */
  public enum Kind {
    /** Keyed by the number of the version that comes into force. */
    POLICY,
    /** By name. */
    DRAFT,
    /** By the id of the request: the reservation has no name yet. */
    WISH,
    /** By name. */
    RESERVATION,
    /** By id. */
    WEBHOOK,
    /** By name. */
    SETTING,
    /** By branch. */
    CEILING,
    /** By the number of the version that comes into force. */
    NAMING_RULES,
    /** By digest. */
    ENROLMENT_TOKEN,
    /** By host; in files beside the store. */
    CERTIFICATE,
    /** By id; not stored, and over with the controller. */
    CONVERSATION;

    boolean isStored() {
      return this != CONVERSATION && this != CERTIFICATE;
    }
  }

  public abstract Kind kind();

  public abstract String key();

  public static Subject of(Kind kind, String key) {
    return new AutoValue_Subject(kind, key);
  }

  /**
   * @throws IllegalArgumentException if it is none
   */
  public static Subject parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("The subject (" + text + ") must be KIND/KEY.");
    }
    return of(
        Kind.valueOf(text.substring(0, slash).toUpperCase(Locale.ROOT)), text.substring(slash + 1));
  }

  @Override
  public final String toString() {
    return kind().name().toLowerCase(Locale.ROOT) + "/" + key();
  }
}
