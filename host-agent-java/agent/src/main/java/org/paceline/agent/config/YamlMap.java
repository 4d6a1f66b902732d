package org.paceline.agent.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentRefused;
import org.paceline.intents.document.DocumentText;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * A mapping of a YAML file that remembers where everything stands. Whoever reads it takes the keys
 * that it knows; what is left over is a fault.
 */
public final class YamlMap {
  private final Mark place;
  private final Map<String, Node> values;
  private final Map<String, Mark> keys;
  private final Faults faults;

  private YamlMap(Mark place, Map<String, Node> values, Map<String, Mark> keys, Faults faults) {
    this.place = place;
    this.values = values;
    this.keys = keys;
    this.faults = faults;
  }

  /**
   * Reads the file's top mapping.
   *
   * @throws FaultyFile where there is no such file, no YAML in it or no mapping
   */
  public static YamlMap read(Path file, Faults faults) {
    if (Files.isDirectory(file)) {
      faults.add("This is a directory. Maybe name the file in it.");
      faults.throwIfAny();
    }
    try {
      String text = text(file);
      LoadSettings settings = settings(text);
      GuardedYaml.check(text, settings, DocumentLimits.CONFIGURATION, faults);
      Optional<Node> root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        faults.add("The file is empty. Maybe it was cut off.");
      } else {
        Optional<YamlMap> map = of(root.get(), faults);
        if (map.isPresent()) {
          return map.get();
        }
      }
    } catch (NoSuchFileException e) {
      faults.add("There is no such file. Maybe the path is meant from another directory.");
    } catch (AccessDeniedException e) {
      faults.add("This process may not read the file. Maybe run it as root.");
    } catch (IOException e) {
      faults.add("The file cannot be read: " + e.getMessage());
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark();
      String problem = "This is no YAML: " + e.getProblem() + ".";
      mark.ifPresentOrElse(m -> faults.add(m, problem), () -> faults.add(problem));
    } catch (DocumentRefused e) {
      faults.add("This " + e.reason());
    } catch (YamlEngineException e) {
      faults.add("This is no YAML: " + e.getMessage());
    }
    faults.throwIfAny();
    throw new IllegalStateException("unreachable: a file without a mapping has a fault");
  }

  private static LoadSettings settings(String text) {
    return LoadSettings.builder()
        .setCodePointLimit(DocumentLimits.CONFIGURATION.bytes())
        // The whole text is one buffer: with smaller ones the parser copies what it has of a long
        // token each time that it reads on.
        .setBufferSize(text.length() + 1)
        .build();
  }

  private static String text(Path file) throws IOException {
    try (InputStream bytes = Files.newInputStream(file)) {
      // A file may be a device that never ends.
      return DocumentText.of(
          bytes.readNBytes(DocumentLimits.CONFIGURATION.bytes() + 1), DocumentLimits.CONFIGURATION);
    }
  }

  /** Where a node stands; a file is read with the places of its nodes. */
  private static Mark at(Node node) {
    return node.getStartMark().orElseThrow();
  }

  private static Optional<YamlMap> of(Node node, Faults faults) {
    if (!(node instanceof MappingNode mapping)) {
      faults.add(at(node), "Here a mapping of keys to values is needed.");
      return Optional.empty();
    }
    Map<String, Node> values = new LinkedHashMap<>();
    Map<String, Mark> keys = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Mark at = at(tuple.getKeyNode());
      if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
        faults.add(at, "A key must be a word.");
      } else if (values.putIfAbsent(key.getValue(), tuple.getValueNode()) != null) {
        faults.add(at, "The key (" + key.getValue() + ") is here a second time.");
      } else {
        keys.put(key.getValue(), at);
      }
    }
    return Optional.of(new YamlMap(at(mapping), values, keys, faults));
  }

  public Mark place() {
    return place;
  }

  /** Where this key stands. */
  public Mark place(String key) {
    return keys.getOrDefault(key, place);
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** As of the key's text. */
  <T> Optional<T> take(ConfigKey key, Function<String, T> parse) {
    return take(key.key(), parse);
  }

  /** The value of this key, or its default where there is none. */
  <T> T takeOrDefault(ConfigKey key, Function<String, T> parse) {
    return take(key, parse).orElseGet(() -> parse.apply(key.byDefault()));
  }

  /** The value of this key read by {@code parse}; a fault where that refuses it. */
  public <T> Optional<T> take(String key, Function<String, T> parse) {
    Optional<Node> node = Optional.ofNullable(values.remove(key));
    if (node.isEmpty()) {
      return Optional.empty();
    }
    Mark at = at(node.get());
    if (node.get() instanceof ScalarNode scalar) {
      return faults.attempt(at, scalar.getValue(), parse);
    }
    faults.add(at, "The value of (" + key + ") must be one word or number.");
    return Optional.empty();
  }

  /** A key that has to be there. */
  <T> Optional<T> require(ConfigKey key, Function<String, T> parse) {
    if (!has(key.key())) {
      faults.add(place, "The key (" + key.key() + ") is missing.");
      return Optional.empty();
    }
    return take(key, parse);
  }

  /** One word, or a list of words. */
  List<String> takeWords(ConfigKey key) {
    return takeAll(key.key(), word -> word);
  }

  /** One word, or a list of words, each read by {@code parse}; a fault where that refuses it. */
  public <T> List<T> takeAll(String key, Function<String, T> parse) {
    Optional<Node> node = Optional.ofNullable(values.remove(key));
    List<T> read = new ArrayList<>();
    node.map(value -> value instanceof SequenceNode list ? list.getValue() : List.of(value))
        .orElse(List.of())
        .forEach(
            item -> {
              if (item instanceof ScalarNode scalar) {
                faults.attempt(at(item), scalar.getValue(), parse).ifPresent(read::add);
              } else {
                faults.add(at(item), "The items of (" + key + ") must be words.");
              }
            });
    return read;
  }

  /** The keys that nobody took yet, in their order. */
  public List<String> keys() {
    return List.copyOf(values.keySet());
  }

  Optional<YamlMap> takeMap(ConfigKey key) {
    return Optional.ofNullable(values.remove(key.key())).flatMap(node -> of(node, faults));
  }

  List<YamlMap> takeMaps(ConfigKey key) {
    Optional<Node> node = Optional.ofNullable(values.remove(key.key()));
    List<YamlMap> maps = new ArrayList<>();
    node.ifPresent(
        value -> {
          if (value instanceof SequenceNode sequence) {
            sequence.getValue().forEach(item -> of(item, faults).ifPresent(maps::add));
          } else {
            faults.add(at(value), "The value of (" + key.key() + ") must be a list.");
          }
        });
    return maps;
  }

  /** What was said to be wrong is not looked at any more. */
  void leave(ConfigKey key) {
    values.remove(key.key());
  }

  /** A fault for each key that nobody took. */
  void nothingElse(String known) {
    for (String key : values.keySet()) {
      faults.add(
          place(key),
          "Nobody knows the key (" + key + ") here. Maybe you meant one of " + known + ".");
    }
  }
}
