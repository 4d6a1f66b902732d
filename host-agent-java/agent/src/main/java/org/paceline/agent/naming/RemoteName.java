package org.paceline.agent.naming;

import java.util.ArrayList;
import java.util.List;

/**
 * The name by which a destination was asked for, in lower case.
 *
 * @param aliases further names that DNS has led it to
 */
public record RemoteName(String text, List<String> aliases, Source source) {
  /** How it was heard. */
  public enum Source {
    /** The server name in the first message of a TLS connection. */
    TLS,
    /** An answer of DNS with the destination's address. */
    DNS
  }

  public RemoteName {
    aliases = List.copyOf(aliases);
  }

  /** The name that was asked for, then those that it led to. */
  public List<String> all() {
    List<String> all = new ArrayList<>(List.of(text));
    all.addAll(aliases);
    return all;
  }
}
