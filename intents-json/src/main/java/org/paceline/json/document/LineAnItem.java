package org.paceline.json.document;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;

/** Begins a line with each item of the array that is open; what is inside an item stays on it. */
public final class LineAnItem extends MinimalPrettyPrinter {
  private static final long serialVersionUID = 1;

  private int depth;

  @Override
  public void writeStartObject(JsonGenerator json) throws IOException {
    depth++;
    super.writeStartObject(json);
  }

  @Override
  public void writeEndObject(JsonGenerator json, int members) throws IOException {
    depth--;
    super.writeEndObject(json, members);
  }

  @Override
  public void writeArrayValueSeparator(JsonGenerator json) throws IOException {
    json.writeRaw(depth == 0 ? ",\n" : ",");
  }
}
