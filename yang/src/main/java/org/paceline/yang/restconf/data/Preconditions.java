package org.paceline.yang.restconf.data;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import org.paceline.yang.restconf.message.EntityTag;
import org.paceline.yang.restconf.message.Reply;
import org.paceline.yang.restconf.message.Request;
import org.paceline.yang.restconf.message.RestconfError;

/**
 * What a client knows of the configuration: its tag, and the second of its last change. Both are
 * those of the whole, as RFC 8040, sections 3.4.1 and 3.5, allows; a tag goes before a time, and a
 * time that is none counts for nothing (RFC 7232, sections 3 and 6).
 */
final class Preconditions {
  private static final DateTimeFormatter SHOWN =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private final String tag;
  private final Instant changed;

  /**
   * @param tag of the configuration
   * @param changed when it became so
   */
  Preconditions(String tag, Instant changed) {
    this.tag = tag;
    this.changed = changed.truncatedTo(ChronoUnit.SECONDS);
  }

  /** The reply with what the client may come back with. */
  Reply on(Reply reply) {
    return reply.with("ETag", tag).with("Last-Modified", SHOWN.format(changed));
  }

  /** Whether the client has it already as it is. */
  boolean isKnown(Request request) {
    Optional<String> tags = request.header("If-None-Match");
    return tags.isPresent()
        ? EntityTag.matches(tags.get(), tag)
        : time(request, "If-Modified-Since").filter(since -> !changed.isAfter(since)).isPresent();
  }

  /**
   * @param isThere whether there is what would be changed
   * @throws RestconfError if it is not as the client expects
   */
  void require(Request request, DataPath path, boolean isThere) {
    Optional<String> match = request.header("If-Match");
    Optional<String> noneMatch = request.header("If-None-Match");
    if (match.isPresent() && !(isThere && EntityTag.matches(match.get(), tag))) {
      throw RestconfError.changedMeanwhile(
          "The configuration's tag is " + tag + ", not " + match.get() + ". Maybe read it again.");
    }
    boolean isLater =
        time(request, "If-Unmodified-Since").filter(since -> changed.isAfter(since)).isPresent();
    if (match.isEmpty() && isLater) {
      throw RestconfError.changedMeanwhile(
          "The configuration was changed at " + SHOWN.format(changed) + ". Maybe read it again.");
    }
    if (noneMatch.isPresent() && isThere && EntityTag.matches(noneMatch.get(), tag)) {
      throw RestconfError.changedMeanwhile("(" + path + ") is there with the tag " + tag + ".");
    }
  }

  private static Optional<Instant> time(Request request, String header) {
    try {
      return request
          .header(header)
          .map(text -> DateTimeFormatter.RFC_1123_DATE_TIME.parse(text.trim(), Instant::from));
    } catch (DateTimeException none) {
      return Optional.empty();
    }
  }
}
