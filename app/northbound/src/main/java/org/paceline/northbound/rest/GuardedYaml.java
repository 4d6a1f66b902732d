package org.paceline.northbound.rest;

import java.util.Optional;
import java.util.regex.Pattern;
import org.paceline.intents.document.DocumentGuard;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentRefused;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Tells a {@link DocumentGuard} what the parser of YAML comes across. */
final class GuardedYaml {
  private static final Pattern NUMBER = Pattern.compile("[-+.0-9][-+.0-9eE]*");

  private GuardedYaml() {}

  /**
   * Goes through the whole text and makes nothing of it.
   *
   * @throws DocumentRefused if it holds more than it may
   * @throws YamlEngineException if it is no YAML
   */
  static void check(String text, LoadSettings settings, DocumentLimits limits) {
    DocumentGuard guard = new DocumentGuard(limits);
    for (Event event : new Parse(settings).parseString(text)) {
      if (event instanceof NodeEvent && event.getEventId() != Event.ID.Alias) {
        ((NodeEvent) event).getAnchor().ifPresent(anchor -> guard.anchor(anchor.getValue()));
      }
      switch (event.getEventId()) {
        case MappingStart:
          guard.beginObject();
          break;
        case SequenceStart:
          guard.beginList();
          break;
        case MappingEnd:
        case SequenceEnd:
          guard.end();
          break;
        case Alias:
          guard.alias(((AliasEvent) event).getAlias().getValue());
          break;
        case Scalar:
          scalar(guard, (ScalarEvent) event, limits);
          break;
        default:
          // The stream and its documents begin and end.
          break;
      }
    }
  }

  /** Without quotes, or with a tag, it may be made a number. */
  private static void scalar(DocumentGuard guard, ScalarEvent scalar, DocumentLimits limits) {
    String value = scalar.getValue();
    Optional<String> tag = scalar.getTag();
    boolean mayBeNumber = scalar.isPlain() || tag.isPresent();
    if (mayBeNumber && value.length() > limits.number() && NUMBER.matcher(value).matches()) {
      guard.number(value, value.length());
    } else {
      guard.text(value);
    }
  }
}
