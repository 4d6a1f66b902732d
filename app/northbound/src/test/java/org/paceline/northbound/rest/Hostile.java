package org.paceline.northbound.rest;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Documents that are sent to do harm, made by chance: the same of the same seed. */
final class Hostile {
  private final Random chance;

  Hostile(Random chance) {
    this.chance = chance;
  }

  /** By what they try, in JSON. */
  Map<String, String> json() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("deep lists", "[".repeat(some(100_000)));
    all.put("deep lists that end", "[".repeat(1_000) + "]".repeat(1_000));
    all.put("deep objects", "{\"a\":".repeat(some(100_000)));
    all.put("a deep member", "{\"intents\":" + "[".repeat(some(100_000)));
    all.put("a long number", "{\"priority\":" + digits(1_000_000) + "}");
    all.put("a number just too long", "{\"priority\":" + digits(41) + "}");
    all.put("a long rate", "{\"rateKbps\":" + digits(1_000_000) + ",\"durationSeconds\":1}");
    all.put("a long fraction", "{\"rateKbps\":0." + digits(1_000_000) + "}");
    all.put("a long exponent", "{\"rateKbps\":1e" + digits(100_000) + "}");
    for (String number : List.of("1e999999999", "-1e999999999", "1e-999999999", "1E2147483647")) {
      for (String member : List.of("to", "rateKbps", "durationSeconds", "minimumRateKbps")) {
        all.put(member + " of " + number, "{\"" + member + "\":" + number + ",\"x\":0}");
      }
    }
    all.put("no number", "{\"to\":NaN}");
    all.put("no finite number", "{\"to\":-Infinity}");
    all.put("a long text", "{\"intent\":\"" + "x".repeat(some(3_000_000)) + "\"}");
    all.put("a text of escapes", "{\"intent\":\"" + "\\u0041".repeat(some(500_000)) + "\"}");
    all.put("a long key", "{\"" + "k".repeat(some(3_000_000)) + "\":1}");
    all.put("a member twice", "{\"priority\":1,\"priority\":2}");
    all.put("a member twice, inside", "{\"intents\":[{\"class\":\"a\",\"class\":\"b\"}]}");
    all.put("many members", members(some(150_000)));
    all.put("many values", "{\"intents\":[" + "0,".repeat(some(400_000)) + "0]}");
    all.put("many empty objects", "{\"intents\":[" + "{},".repeat(some(300_000)) + "{}]}");
    all.put("half a character", "{\"intent\":\"\\ud83d\"}");
    all.put("the other half", "{\"intent\":\"x\\ude00\"}");
    all.put("a character that ends texts", "{\"intent\":\"voip\\u0000\"}");
    all.put("nothing that ends", "{\"intents\":[{\"class\":\"a\"");
    all.put("something after the end", "{} {}");
    all.put("a comment", "{/* */}");
    all.put("single quotes", "{'to':1}");
    all.put("blanks", "{" + " ".repeat(some(2_000_000)) + "\"x\":1}");
    all.put("a sign before the text", "\ufeff{\"x\":1}");
    all.put(
        "a deep path",
        "{\"intents\":[{\"utilityFunction\":\"web\"},{\"class\":\"a" + "/a".repeat(120) + "\"}]}");
    return all;
  }

  /** By what they try, in YAML. */
  Map<String, String> yaml() {
    Map<String, String> all = new LinkedHashMap<>();
    for (int each : List.of(2, 3, 9)) {
      all.put("a bomb of lists by " + each, bomb(each, "[", "]", ""));
      all.put("a bomb of objects by " + each, bomb(each, "{", "}", "k%d: "));
    }
    all.put(
        "a long text, often", "a: &a " + "x".repeat(50_000) + "\nb: [" + "*a, ".repeat(45) + "*a]");
    all.put("aliases in a row", row(some(500)));
    all.put("itself in a list", "a: &a [*a]");
    all.put("itself in an object", "&a {b: *a}");
    all.put("itself, further down", "&a [[[{x: [*a]}]]]");
    all.put("itself for a key", "&a {*a : 1}");
    all.put("an alias of nothing", "a: *b");
    all.put("a class", "!!javax.script.ScriptEngineManager [!!java.net.URLClassLoader [[]]]");
    all.put("a class inside", "intents: !<tag:yaml.org,2002:java.lang.Runtime> x");
    all.put("a tag", "intents: !unknown {}");
    all.put("a merge", "base: &b {class: a}\nintents: [{<<: *b}]");
    all.put("a merge of itself", "a: &a\n  <<: *a\n");
    all.put("deep", "[".repeat(some(50_000)));
    all.put("deep by blanks", deepByBlanks(some(400) + 70));
    all.put("deep dashes", "- ".repeat(some(3_000) + 70) + "x");
    all.put("a long number", "priority: " + digits(1_000_000));
    all.put("a long number in quotes with a tag", "priority: !!int \"" + digits(300_000) + "\"");
    all.put("a long float with a tag", "priority: !!float '" + digits(300_000) + ".5'");
    all.put("a big exponent", "intents: [{class: a, priority: 1e999999999}]");
    all.put("no number", "intents: [{class: a, minimumRateKbps: .nan}]");
    all.put("a member twice", "intents: []\nintents: []");
    all.put("a list for a key", "? [a, b]\n: c");
    all.put("two documents", "intents: []\n---\nintents: []");
    all.put("many members", members(some(100_000)).replace(",", ",\n"));
    all.put("many anchors", row(some(3_000)).replace("*", "&n"));
    all.put("binary", "a: !!binary " + "A".repeat(some(60_000)));
    all.put("a tab", "a:\n\t- b");
    all.put("a control character", "a: \u0001");
    all.put("half a character", "a: \"\\ud83d\"");
    all.put("directives", "%YAML 9.9\n--- {}");
    all.put("a block that never ends", "a: |\n" + " x\n".repeat(some(20_000)));
    return all;
  }

  private int some(int most) {
    return most / 2 + chance.nextInt(most / 2 + 1);
  }

  private String digits(int most) {
    StringBuilder digits = new StringBuilder();
    int count = most < 100 ? most : some(most);
    for (int i = 0; i < count; i++) {
      digits.append((char) ('1' + chance.nextInt(9)));
    }
    return digits.toString();
  }

  private static String members(int count) {
    return "{" + repeated(count, ",", i -> "\"k" + i + "\": 1") + "}";
  }

  /** Some 400 bytes, within the parsers' own limit of aliases. */
  private static String bomb(int each, String open, String close, String key) {
    int levels = Math.min(50 / each, 16);
    return "a0: &a0 x\n"
        + repeated(
            levels,
            "\n",
            level -> {
              String alias = "*a" + level;
              return anchor(level + 1)
                  + open
                  + repeated(each, ", ", i -> String.format(key, i) + alias)
                  + close;
            });
  }

  private static String row(int count) {
    return "a0: &a0 [x]\n" + repeated(count, "", i -> anchor(i + 1) + "[*a" + i + "]\n");
  }

  private static String anchor(int number) {
    return "a" + number + ": &a" + number + " ";
  }

  private static String deepByBlanks(int count) {
    return repeated(count, "", i -> " ".repeat(i) + "a:\n");
  }

  private static String repeated(int count, String between, IntFunction<String> each) {
    return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining(between));
  }
}
