package org.paceline.control.port;

import java.io.IOException;

/** How much room is left on the disk that the controller's stores are on. */
public interface FreeSpace {
  /** The folder of the stores, as an operator finds it. */
  String place();

  /**
   * What the controller may still write there.
   *
   * @throws IOException where it cannot be read
   */
  long bytes() throws IOException;
}
