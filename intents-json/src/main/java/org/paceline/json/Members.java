package org.paceline.json;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The members that an object was found to have. */
final class Members {
  private final List<String> found = new ArrayList<>(5);

  void add(String member) {
    found.add(member);
  }

  /** Logs one fault that names all that are missing. */
  void require(JsonCursor json, String place, String... needed) throws IOException {
    List<String> missing = new ArrayList<>(0);
    for (String member : needed) {
      if (!found.contains(member)) {
        missing.add(member);
      }
    }
    if (!missing.isEmpty()) {
      json.faultAt(place, "lacks " + String.join(", ", missing) + ".");
    }
  }
}
