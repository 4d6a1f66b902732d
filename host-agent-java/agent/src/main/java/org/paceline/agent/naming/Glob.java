package org.paceline.agent.naming;

/** A text pattern in which {@code *} stands for any characters and {@code ?} for one. */
public record Glob(String text) {

  public static Glob parse(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("The pattern is empty. Maybe leave the condition out.");
    }
    return new Glob(text);
  }

  /** Walks both texts with one place to come back to, so that no pattern takes exponential time. */
  public boolean matches(String candidate) {
    int p = 0;
    int c = 0;
    int star = -1;
    int resume = 0;
    while (c < candidate.length()) {
      if (p < text.length() && text.charAt(p) == '*') {
        star = p++;
        resume = c;
      } else if (p < text.length()
          && (text.charAt(p) == '?' || text.charAt(p) == candidate.charAt(c))) {
        p++;
        c++;
      } else if (star >= 0) {
        p = star + 1;
        c = ++resume;
      } else {
        return false;
      }
    }
    while (p < text.length() && text.charAt(p) == '*') {
      p++;
    }
    return p == text.length();
  }
}
