package org.paceline.json.catalogue;

import com.google.auto.value.AutoValue;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.utility.UtilityFunction;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.JsonDocument;
import org.paceline.json.document.Reading;
import org.paceline.json.utility.UtilityFunctionJson;

/** A utility function and the (class, intent) that it was measured for. */
@AutoValue
public abstract class MeasuredTable {
  public abstract IntentPath intent();

  public abstract UtilityFunction function();

  /** Reads a file such as those of the catalogue; the name is given to the function. */
  public static Reading<MeasuredTable> read(InputStream source, String name) throws IOException {
    return JsonDocument.read(source, DocumentLimits.FILE, json -> new Reader(json).read(name));
  }

  private static final class Reader {
    private final JsonCursor json;
    private Optional<String> applicationClass = Optional.empty();
    private Optional<String> intent = Optional.empty();

    Reader(JsonCursor json) {
      this.json = json;
    }

    Optional<MeasuredTable> read(String name) throws IOException {
      Optional<UtilityFunction> function = new UtilityFunctionJson(json, this::member).read(name);
      if (function.isEmpty()) {
        return Optional.empty();
      }
      if (applicationClass.isEmpty() || intent.isEmpty()) {
        json.fault("needs the class and the intent that it was measured for.");
        return Optional.empty();
      }
      try {
        return Optional.of(
            new AutoValue_MeasuredTable(
                IntentPath.of(applicationClass.get(), intent.get()), function.get()));
      } catch (IllegalArgumentException e) {
        json.fault(String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }

    private boolean member(String member) throws IOException {
      switch (member) {
        case "class":
          applicationClass = json.name();
          return true;
        case "intent":
          intent = json.name();
          return true;
        default:
          return false;
      }
    }
  }
}
