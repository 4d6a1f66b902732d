package org.paceline.control;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.paceline.control.port.Journal;

/** Keeps what is said of faults. */
public final class WrittenFaults implements Journal {
  public final List<String> all = new CopyOnWriteArrayList<>();

  @Override
  public void note(String sentence) {}

  @Override
  public void warn(String sentence) {}

  @Override
  public void fault(String sentence, Throwable bug) {
    all.add(sentence + ": " + bug);
  }

  @Override
  public void planned(long version, String summary, String difference) {}
}
