package org.paceline.cli.table;

import java.util.Map;

/** What a part of a table means to whoever reads it, with the colour of a terminal for that. */
public enum Tone {
  PLAIN(""),
  HEADING("1"),
  GOOD("32"),
  /** Holds for now, or wants a second look. */
  NOTABLE("33"),
  BAD("31");

  private static final Map<String, Tone> OF_STATES =
      Map.ofEntries(
          // Conversations.
          Map.entry("granted", GOOD),
          Map.entry("recommended", NOTABLE),
          Map.entry("seen", NOTABLE),
          Map.entry("closing", NOTABLE),
          Map.entry("unserved", BAD),
          // What is installed.
          Map.entry("as_wanted", GOOD),
          Map.entry("unknown", NOTABLE),
          Map.entry("wrong", BAD),
          Map.entry("missing", BAD),
          // Switches.
          Map.entry("connected", GOOD),
          Map.entry("away", BAD),
          // Reservations.
          Map.entry("active", GOOD),
          Map.entry("held", NOTABLE),
          Map.entry("short", BAD),
          Map.entry("met", GOOD),
          Map.entry("missed", BAD),
          // Operations.
          Map.entry("done", GOOD),
          Map.entry("running", NOTABLE),
          Map.entry("failed", BAD));

  private final String code;

  Tone(String code) {
    this.code = code;
  }

  /** As ECMA-48 numbers it (Select Graphic Rendition); empty for none. */
  String code() {
    return code;
  }

  /** By its first word; a state that is not known here is plain. */
  public static Tone ofState(String state) {
    return OF_STATES.getOrDefault(state.split(" ", 2)[0], PLAIN);
  }

  /** Of a number that bears its sign, and of none that comes to nothing. */
  public static Tone ofGain(String gain) {
    if (gain.chars().noneMatch(digit -> '1' <= digit && digit <= '9')) {
      return PLAIN;
    }
    return gain.startsWith("-") ? BAD : GOOD;
  }

  /** Of trouble that should not be there, where nothing and 0 say that there is none. */
  public static Tone ofTrouble(String trouble) {
    return trouble.equals(Words.NONE) || trouble.equals("0") ? PLAIN : BAD;
  }
}
