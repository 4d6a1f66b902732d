package org.paceline.northbound.log;

import org.paceline.control.port.Journal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controller's log. */
public final class LogJournal implements Journal {
  private static final Logger log = LoggerFactory.getLogger("org.paceline.decisions");

  @Override
  public void note(String sentence) {
    log.info("{}", sentence);
  }

  @Override
  public void warn(String sentence) {
    log.warn("{}", sentence);
  }

  @Override
  public void fault(String sentence, Throwable bug) {
    log.error(sentence, bug);
  }

  @Override
  public void planned(long version, String summary, String difference) {
    log.debug("Plan {}: {}; {}", version, difference, summary);
  }
}
