package org.paceline.northbound.rest.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.BufferRecyclers;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.paceline.intents.document.DocumentRefused;
import org.paceline.northbound.rest.view.Json;

/** Documents as large as a request may be: what they take, and what is left of them. */
final class LargeDocumentsTest {
  private static final long MUCH = 200_000_000;

  /**
   * What is made while the largest documents are read, which takes the time; it is counted in
   * bytes, for time is another on each machine.
   */
  @Test
  void noneTakesMuchToBeRefused() {
    String lists = "{\"intents\": [";
    String members = repeated(24_000, i -> "\"k" + i + "\": 1, ");
    Map<String, String> yaml =
        Map.of(
            "anchors", repeated(24_000, i -> "a" + i + ": &a" + i + " x\n"),
            "more anchors", repeated(100_000, i -> "a" + i + ": &a" + i + " x\n"),
            "values", lists + "0, ".repeat(49_000) + "0]}",
            "objects", lists + "{}, ".repeat(49_000) + "0]}",
            "members", "{" + members + "\"k\": 1}",
            "a fault at the end", "{" + members + "&");
    yaml.forEach((what, body) -> assertTakesLittle(what, body, IntentsYaml::read));
    Map<String, String> json =
        Map.of(
            "values", lists + "0, ".repeat(190_000) + "0]}",
            "objects", lists + "{}, ".repeat(190_000) + "0]}",
            "members", "{" + repeated(95_000, i -> "\"k" + i + "\": 1, ") + "\"k\": 1}");
    json.forEach((what, body) -> assertTakesLittle(what, body, IntentsText::read));
  }

  private static void assertTakesLittle(String what, String body, Consumer<byte[]> reader) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    assertThatThrownBy(() -> reader.accept(bytes))
        .as(what)
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before)
        .as(what)
        .isLessThan(MUCH);
  }

  /** Else each thread of the web server would keep megabytes of what was sent to it. */
  @Test
  void nothingIsKeptOfALongName() {
    assertThatThrownBy(() -> Json.read("{\"" + "k".repeat(3_000_000) + "\": 1}"))
        .isInstanceOf(IllegalArgumentException.class);
    char[] kept =
        BufferRecyclers.getBufferRecycler().allocCharBuffer(BufferRecycler.CHAR_TEXT_BUFFER);
    assertThat(kept.length).isLessThan(100_000);
  }

  @Test
  void whatIsNoYamlIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> IntentsYaml.read("a: 1\nb: [".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("line 2");
  }

  private static String repeated(int count, IntFunction<String> each) {
    return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining());
  }

  /** Who commits a draft or asks for a reservation needs no tree of values. */
  @Test
  void aCommandHoldsFewValues() {
    byte[] body = ("{\"to\": [" + "{}, ".repeat(20_000) + "{}]}").getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> Json.read(body, Set.of("to")))
        .isInstanceOf(DocumentRefused.class)
        .hasMessageContaining("holds more than 10000 values");
  }
}
