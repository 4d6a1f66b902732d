package org.paceline.reference;

import java.io.IOException;

/** One page, made from the code. */
interface Page {
  /** Of its file. */
  String name();

  /** In Markdown, with a line's end at its end. */
  String text() throws IOException;
}
