package org.paceline.agent.config;

import java.util.regex.Pattern;
import org.paceline.intents.document.DocumentGuard;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentRefused;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Tells a {@link DocumentGuard} what the parser of YAML comes across. */
final class GuardedYaml {
  private static final Pattern NUMBER = Pattern.compile("[-+.0-9][-+.0-9eE]*");

  private GuardedYaml() {}

  /**
   * Goes through the whole text and makes nothing of it.
   *
   * @throws FaultyFile if it holds more than it may
   * @throws YamlEngineException if it is no YAML
   */
  static void check(String text, LoadSettings settings, DocumentLimits limits, Faults faults) {
    DocumentGuard guard = new DocumentGuard(limits);
    for (Event event : new Parse(settings).parseString(text)) {
      try {
        tell(guard, event, limits);
      } catch (DocumentRefused e) {
        String refusal = String.valueOf(e.getMessage());
        event
            .getStartMark()
            .ifPresentOrElse(mark -> faults.add(mark, refusal), () -> faults.add(refusal));
        faults.throwIfAny();
      }
    }
  }

  private static void tell(DocumentGuard guard, Event event, DocumentLimits limits) {
    if (event instanceof AliasEvent alias) {
      guard.alias(alias.getAlias().getValue());
      return;
    }
    if (event instanceof NodeEvent node) {
      node.getAnchor().ifPresent(anchor -> guard.anchor(anchor.getValue()));
    }
    if (event instanceof MappingStartEvent) {
      guard.beginObject();
    } else if (event instanceof SequenceStartEvent) {
      guard.beginList();
    } else if (event instanceof CollectionEndEvent) {
      guard.end();
    } else if (event instanceof ScalarEvent scalar) {
      scalar(guard, scalar, limits);
    }
  }

  private static void scalar(DocumentGuard guard, ScalarEvent scalar, DocumentLimits limits) {
    String value = scalar.getValue();
    if (scalar.isPlain() && value.length() > limits.number() && NUMBER.matcher(value).matches()) {
      guard.number(value, value.length());
    } else {
      guard.text(value);
    }
  }
}
