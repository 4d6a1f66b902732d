package org.paceline.json.document;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.paceline.intents.document.DocumentGuard;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.document.DocumentRefused;

/** Tells a {@link DocumentGuard} what Jackson comes across. */
public final class GuardedJson {
  /**
   * Keeps nothing of what it has read. Jackson's own way is to remember names, and each thread's
   * largest buffer, which is as large as the longest name that anybody sent.
   */
  public static final JsonFactory FACTORY =
      forgetful().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES);

  private GuardedJson() {}

  /** Without a memory that others share; names are remembered as long as it lives. */
  static JsonFactory forgetful() {
    return new JsonFactory()
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .disable(JsonFactory.Feature.USE_THREAD_LOCAL_FOR_BUFFER_RECYCLING);
  }

  /**
   * Goes through the whole text and makes nothing of it.
   *
   * @throws DocumentRefused if it holds more than it may
   * @throws JsonProcessingException if it is no JSON
   */
  public static void check(String text, DocumentLimits limits) throws JsonProcessingException {
    DocumentGuard guard = new DocumentGuard(limits);
    try (JsonParser parser = FACTORY.createParser(text)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        tell(guard, parser, token, limits);
      }
    } catch (JsonProcessingException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot refuse to be read", e);
    }
  }

  /** A token is looked at before a number or a text is made of it. */
  static void tell(DocumentGuard guard, JsonParser parser, JsonToken token, DocumentLimits limits)
      throws IOException {
    switch (token) {
      case START_OBJECT:
        guard.beginObject();
        break;
      case START_ARRAY:
        guard.beginList();
        break;
      case END_OBJECT:
      case END_ARRAY:
        guard.end();
        break;
      case FIELD_NAME:
      case VALUE_STRING:
        guard.text(sample(parser, limits.text()), parser.getTextLength());
        break;
      case VALUE_NUMBER_INT:
      case VALUE_NUMBER_FLOAT:
        guard.number(sample(parser, limits.number()), parser.getTextLength());
        break;
      default:
        guard.word();
        break;
    }
  }

  private static String sample(JsonParser parser, int longest) throws IOException {
    return parser.getTextLength() <= longest
        ? parser.getText()
        : new String(parser.getTextCharacters(), parser.getTextOffset(), longest);
  }
}
