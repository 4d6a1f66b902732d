package org.paceline.yang;

import java.util.Optional;

/** Why data are none of the model, or mean no policy: in which node, and a way out. */
public final class Misfit extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  /** What is wrong with the node, by the error tags of RFC 6241, appendix A. */
  public enum Kind {
    INVALID_VALUE("invalid-value"),
    UNKNOWN_ELEMENT("unknown-element"),
    MISSING_ELEMENT("missing-element");

    private final String tag;

    Kind(String tag) {
      this.tag = tag;
    }

    public String tag() {
      return tag;
    }
  }

  private final Kind kind;
  private final String path;

  Misfit(Kind kind, String path, String message) {
    super(message);
    this.kind = kind;
    this.path = path;
  }

  static Misfit value(String path, String message) {
    return new Misfit(Kind.INVALID_VALUE, path, message);
  }

  public Kind kind() {
    return kind;
  }

  /** The node as an instance identifier in JSON (RFC 7951, section 6.11); none for the root. */
  public Optional<String> path() {
    return path.isEmpty() ? Optional.empty() : Optional.of(path);
  }
}
