package org.paceline.control.api;

import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.Request;
import org.paceline.control.port.Records;

/** What is kept of requests: how many each client sends, and what was answered. */
public final class RequestService {
  private final RequestLimit limit;
  private final Records<String> answers;
  private final ChangeLog changes;

  public RequestService(RequestLimit limit, Records<String> answers, ChangeLog changes) {
    this.limit = limit;
    this.answers = answers;
    this.changes = changes;
  }

  /** How many requests each client may send. */
  public RequestLimit limit() {
    return limit;
  }

  /** What was answered to requests that may come again. */
  public Records<String> answers() {
    return answers;
  }

  /** Whether a change that this request asked for was made. */
  public boolean wasMade(Request request) {
    return changes.wasMade(request);
  }
}
