package org.paceline.control.port;

import java.time.Duration;

/** Runs what it is given one after the other, never two at once. */
public interface Worker {
  void execute(Runnable work);

  void after(Duration delay, Runnable work);
}
