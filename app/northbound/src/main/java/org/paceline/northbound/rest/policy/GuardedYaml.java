package org.paceline.northbound.rest.policy;

import java.util.Optional;
import java.util.regex.Pattern;
import org.paceline.intents.document.DocumentGuard;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentRefused;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.Parser;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * YAML, read in one pass: a {@link DocumentGuard} hears of every event before anything is made of
 * it, and values are made only of a document that has passed as a whole.
 */
final class GuardedYaml {
  private static final Pattern NUMBER = Pattern.compile("[-+.0-9][-+.0-9eE]*");

  private GuardedYaml() {}

  /**
   * The one document of the text, as maps, lists and values.
   *
   * @throws DocumentRefused if it holds more than it may
   * @throws YamlEngineException if it is no YAML, or more than one document
   */
  static Object load(String text, DocumentLimits limits) {
    try {
      return load(text, limits, false);
    } catch (YamlEngineException fault) {
      // Once more, now with the place of the fault: the parser makes one for each token.
      return load(text, limits, true);
    }
  }

  private static Object load(String text, DocumentLimits limits, boolean withPlaces) {
    LoadSettings settings =
        LoadSettings.builder()
            .setCodePointLimit(limits.bytes())
            .setUseMarks(withPlaces)
            // The whole text is one buffer: with smaller ones the parser copies what it has of a
            // long token each time that it reads on, and takes seconds for megabytes.
            .setBufferSize(text.length() + 1)
            .build();
    Parser parser = new ParserImpl(settings, new StreamReader(settings, text));
    Composer composer = new Composer(settings, new Told(parser, limits));
    return new StandardConstructor(settings).constructSingleDocument(composer.getSingleNode());
  }

  /** Tells a guard of each event that is taken. */
  private static final class Told implements Parser {
    private final Parser parser;
    private final DocumentLimits limits;
    private final DocumentGuard guard;

    Told(Parser parser, DocumentLimits limits) {
      this.parser = parser;
      this.limits = limits;
      this.guard = new DocumentGuard(limits);
    }

    @Override
    public boolean checkEvent(Event.ID kind) {
      return parser.checkEvent(kind);
    }

    @Override
    public Event peekEvent() {
      return parser.peekEvent();
    }

    @Override
    public boolean hasNext() {
      return parser.hasNext();
    }

    @Override
    public Event next() {
      Event event = parser.next();
      tell(guard, event, limits);
      return event;
    }
  }

  private static void tell(DocumentGuard guard, Event event, DocumentLimits limits) {
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
