package org.paceline.json.document;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.document.DocumentGuard;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.Quoted;

/**
 * Walks through a document token by token, knows its place, and logs a fault instead of stopping
 * wherever the document can still be followed. Every read method is called with the cursor on a
 * value's first token and leaves it on its last.
 */
public final class JsonCursor {
  /** Reads the value of a member that is known by name; false if it knows no such member. */
  public interface Members {
    boolean read(String name) throws IOException;
  }

  /** Reads one item of an array. */
  public interface Items {
    void read(int index) throws IOException;
  }

  /** The document is beyond help; its log says why. */
  public static final class Abandoned extends IOException {
    public Abandoned() {
      super("too many faults");
    }
  }

  /** Below this not even a double is different from zero. */
  private static final int LEAST_MAGNITUDE = -400;

  private final JsonParser parser;
  private final GuardedInput input;
  private final DocumentLimits limits;
  private final DocumentGuard guard;
  private final FaultLog log;
  private final Deque<String> place = new ArrayDeque<>();
  private final Map<String, String> interned = new HashMap<>();

  JsonCursor(JsonParser parser, GuardedInput input, DocumentLimits limits, FaultLog log) {
    this.parser = parser;
    this.input = input;
    this.limits = limits;
    this.guard = new DocumentGuard(limits);
    this.log = log;
  }

  boolean next() throws IOException {
    JsonToken token = parser.nextToken();
    input.tokenRead();
    if (token == null) {
      return false;
    }
    GuardedJson.tell(guard, parser, token, limits);
    return true;
  }

  /** The JSON Pointer of the value that is being read. */
  public String place() {
    StringBuilder pointer = new StringBuilder();
    for (Iterator<String> i = place.descendingIterator(); i.hasNext(); ) {
      pointer.append('/').append(i.next().replace("~", "~0").replace("/", "~1"));
    }
    return Quoted.shortened(pointer.toString());
  }

  public void fault(String message) throws IOException {
    faultAt(place(), message);
  }

  public void faultAt(String where, String message) throws IOException {
    log.add(where, message);
    if (log.isHopeless()) {
      throw new Abandoned();
    }
  }

  /** What is read all the same, but is not as its writer means it. */
  public void warn(String message) {
    log.warn(this::place, message);
  }

  public boolean faultless() {
    return log.isEmpty();
  }

  /** Reads an object's members; unknown ones are passed over. */
  public boolean object(Members members) throws IOException {
    if (!isAt(JsonToken.START_OBJECT, "an object")) {
      return false;
    }
    while (next() && parser.currentToken() == JsonToken.FIELD_NAME) {
      String name = parser.getCurrentName();
      next();
      place.push(name);
      if (!members.read(name)) {
        warn("is no known member. Maybe it is misspelt, or stands at the wrong place.");
        skip();
      }
      place.pop();
    }
    return true;
  }

  /** Reads an array's items; those beyond the greatest number are one fault and end the reading. */
  public boolean array(int most, String wayOut, Items items) throws IOException {
    if (!isAt(JsonToken.START_ARRAY, "an array")) {
      return false;
    }
    for (int index = 0; next() && parser.currentToken() != JsonToken.END_ARRAY; index++) {
      if (index >= most) {
        fault("has more than " + most + " items. " + wayOut);
        throw new Abandoned();
      }
      place.push(Integer.toString(index));
      items.read(index);
      place.pop();
    }
    return true;
  }

  /** A text of 1 to 256 characters. Equal texts of one document are one object. */
  public Optional<String> name() throws IOException {
    Optional<String> text = text();
    if (text.isPresent() && (text.get().isEmpty() || text.get().length() > 256)) {
      fault("must be a name of 1 to 256 characters, but has " + text.get().length() + ".");
      return Optional.empty();
    }
    return text.map(t -> interned.computeIfAbsent(t, same -> same));
  }

  public Optional<String> text() throws IOException {
    return isAt(JsonToken.VALUE_STRING, "a text")
        ? Optional.of(parser.getText())
        : Optional.empty();
  }

  public Optional<Boolean> flag() throws IOException {
    JsonToken token = parser.currentToken();
    if (token == JsonToken.VALUE_TRUE || token == JsonToken.VALUE_FALSE) {
      return Optional.of(token == JsonToken.VALUE_TRUE);
    }
    refuse("true or false");
    return Optional.empty();
  }

  /** An exact number from {@code least} to {@code most}. */
  public Optional<BigDecimal> number(BigDecimal least, BigDecimal most, String range)
      throws IOException {
    JsonToken token = parser.currentToken();
    if (token != JsonToken.VALUE_NUMBER_INT && token != JsonToken.VALUE_NUMBER_FLOAT) {
      refuse("a number");
      return Optional.empty();
    }
    String digits = parser.getText();
    Optional<BigDecimal> number = exactly(digits);
    if (number.isEmpty()) {
      fault("must be a number, but is " + Quoted.of(digits) + ".");
      return Optional.empty();
    }
    // compareTo looks at magnitudes first, so it never writes a huge exponent out.
    if (number.get().compareTo(least) < 0 || number.get().compareTo(most) > 0) {
      fault("must " + range + ", but is " + Quoted.of(digits) + ".");
      return Optional.empty();
    }
    // Rounding 1e-999999999 to any unit would first write out a billion zeros.
    return number.map(n -> magnitude(n) < LEAST_MAGNITUDE ? BigDecimal.ZERO : n);
  }

  private static long magnitude(BigDecimal number) {
    return (long) number.precision() - number.scale();
  }

  /** Empty for NaN, the infinities and exponents that no integer holds. */
  private static Optional<BigDecimal> exactly(String digits) {
    try {
      return Optional.of(new BigDecimal(digits));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  public Optional<Integer> wholeNumber(int least, int most, String range) throws IOException {
    Optional<BigDecimal> number =
        number(BigDecimal.valueOf(least), BigDecimal.valueOf(most), "be a whole number " + range);
    if (number.isPresent() && number.get().stripTrailingZeros().scale() > 0) {
      fault("must be a whole number " + range + ", but is " + number.get() + ".");
      return Optional.empty();
    }
    return number.map(BigDecimal::intValue);
  }

  /** Passes over the value, whatever it is. */
  public void skip() throws IOException {
    int depth = 0;
    do {
      JsonToken token = parser.currentToken();
      if (token != null && token.isStructStart()) {
        depth++;
      } else if (token != null && token.isStructEnd()) {
        depth--;
      }
    } while (depth > 0 && next());
  }

  private boolean isAt(JsonToken expected, String description) throws IOException {
    if (parser.currentToken() == expected) {
      return true;
    }
    refuse(description);
    return false;
  }

  private void refuse(String expected) throws IOException {
    JsonToken token = parser.currentToken();
    String found;
    if (token == JsonToken.START_OBJECT) {
      found = "an object";
    } else if (token == JsonToken.START_ARRAY) {
      found = "an array";
    } else if (token == JsonToken.VALUE_STRING) {
      found = "the text " + Quoted.of(parser.getText());
    } else {
      found = Quoted.printable(parser.getText());
    }
    fault("must be " + expected + ", but is " + found + ".");
    if (place.isEmpty()) {
      throw new Abandoned();
    }
    skip();
  }
}
