package org.paceline.json.document;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentRefused;
import org.paceline.intents.document.Quoted;

/** Reads a whole document, turning whatever is wrong with it into faults. */
public final class JsonDocument {
  /** Reads the value that a document is; empty where it had faults. */
  public interface Body<T> {
    Optional<T> read(JsonCursor cursor) throws IOException;
  }

  private JsonDocument() {}

  /**
   * @throws IOException if the source cannot be read; never for what is in it
   */
  public static <T> Reading<T> read(InputStream source, DocumentLimits limits, Body<T> body)
      throws IOException {
    FaultLog log = new FaultLog();
    GuardedInput input = new GuardedInput(source, limits);
    try (JsonParser parser = GuardedJson.forgetful().createParser(input)) {
      permitNaN(parser);
      JsonCursor cursor = new JsonCursor(parser, input, limits, log);
      Optional<T> value = Optional.empty();
      if (cursor.next()) {
        value = body.read(cursor);
        if (cursor.next()) {
          log.add(at(parser.getTokenLocation()), "there must be nothing after the document's end.");
        }
      } else {
        log.add("", "is empty.");
      }
      if (log.isEmpty() && value.isPresent()) {
        return Reading.good(value.get(), log.warnings());
      }
    } catch (JsonCursor.Abandoned e) {
      log.warn(() -> "", "was not read to its end.");
    } catch (DocumentRefused e) {
      log.add(e.place(), e.reason());
    } catch (GuardedInput.Refused e) {
      log.add("", e.reason());
    } catch (JsonProcessingException e) {
      log.add(at(e.getLocation()), "is no JSON: " + Quoted.printable(e.getOriginalMessage()));
    } catch (CharConversionException e) {
      log.add("", "is no UTF-8 text. Maybe it is not the file you meant.");
    }
    return Reading.bad(log);
  }

  /** So that a NaN is one more fault with its place, and not the end of reading. */
  @SuppressWarnings("deprecation") // JsonReadFeature is younger than the Jackson of ONOS.
  private static void permitNaN(JsonParser parser) {
    parser.enable(JsonParser.Feature.ALLOW_NON_NUMERIC_NUMBERS);
  }

  /** Newer Jacksons do not say where a limit of their own is passed. */
  private static String at(@Nullable JsonLocation location) {
    return location == null
        ? ""
        : "line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
