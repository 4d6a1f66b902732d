package org.paceline.intents.tree;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.paceline.intents.document.Quoted;

/** The ways to share links, of which each branch of the intent tree is ruled by one. */
public enum SchemeName {
  /** Rates by what they are worth to users: first the worst-off, then the sum (Sieber et al.). */
  UTILITY_FAIR("utility-fair"),

  /** Each conversation has just the greatest rate of its intent, or is not admitted. */
  FIXED_RATE("fixed-rate"),

  /** Each conversation has the share of its service class (Aljoby et al.). */
  SERVICE_CLASSES("service-classes"),

  /** Each has its least rate when it asks for it, and others what it leaves (Boley et al.). */
  ADAPTIVE_RESERVATIONS("adaptive-reservations"),

  /** Bulk goes its own way in a queue of its own, at whatever rate it likes (Yan et al.). */
  ELEPHANT_ISOLATION("elephant-isolation");

  private final String word;

  SchemeName(String word) {
    this.word = word;
  }

  /** As it is written in documents, requests and commands. */
  public String word() {
    return word;
  }

  /** All, as a sentence lists them. */
  public static String words() {
    return Arrays.stream(values()).map(SchemeName::word).collect(Collectors.joining(", "));
  }

  public static Optional<SchemeName> tryParse(String word) {
    return Arrays.stream(values()).filter(name -> name.word.equals(word)).findFirst();
  }

  /**
   * The scheme of this word.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static SchemeName parse(String word) {
    return tryParse(word)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no scheme (" + Quoted.of(word) + "). Maybe one of " + words() + "."));
  }
}
