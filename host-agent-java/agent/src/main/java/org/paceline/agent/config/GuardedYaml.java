package org.paceline.agent.config;

import java.io.StringReader;
import java.util.Optional;
import java.util.regex.Pattern;
import org.paceline.intents.document.DocumentGuard;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentRefused;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.NodeEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;

/** Tells a {@link DocumentGuard} what the parser of YAML comes across. */
final class GuardedYaml {
  private static final Pattern NUMBER = Pattern.compile("[-+.0-9][-+.0-9eE]*");

  private GuardedYaml() {}

  /**
   * Goes through the whole text and makes nothing of it.
   *
   * @throws FaultyFile if it holds more than it may
   * @throws YAMLException if it is no YAML
   */
  static void check(String text, LoaderOptions options, DocumentLimits limits, Faults faults) {
    DocumentGuard guard = new DocumentGuard(limits);
    for (Event event : new Yaml(options).parse(new StringReader(text))) {
      try {
        tell(guard, event, limits);
      } catch (DocumentRefused e) {
        faults.add(event.getStartMark(), String.valueOf(e.getMessage()));
        faults.throwIfAny();
      }
    }
  }

  private static void tell(DocumentGuard guard, Event event, DocumentLimits limits) {
    if (event instanceof AliasEvent alias) {
      guard.alias(alias.getAnchor());
      return;
    }
    if (event instanceof NodeEvent node) {
      Optional.ofNullable(node.getAnchor()).ifPresent(guard::anchor);
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
    boolean isPlain = scalar.getScalarStyle() == DumperOptions.ScalarStyle.PLAIN;
    if (isPlain && value.length() > limits.number() && NUMBER.matcher(value).matches()) {
      guard.number(value, value.length());
    } else {
      guard.text(value);
    }
  }
}
