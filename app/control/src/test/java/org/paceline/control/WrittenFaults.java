package org.paceline.control;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Keeps what is said of faults. */
public final class WrittenFaults extends Nobody.NoJournal {
  public final List<String> all = new CopyOnWriteArrayList<>();

  @Override
  public void fault(String sentence, Throwable bug) {
    all.add(sentence + ": " + bug);
  }
}
