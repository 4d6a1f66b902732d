package org.paceline.control;

import java.util.Set;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.User;
import org.paceline.control.policy.Ceilings;

/** For tests in which nobody is bound by a ceiling; they may set some. */
public final class NoCeilings {
  public static final User ADAM = User.of("adam", Set.of("admin"));

  private NoCeilings() {}

  public static Ceilings all() {
    ChangeLog changes =
        new ChangeLog(
            RememberedRecords.numbered(new RememberedRecords<>()),
            new RememberedRecords<>(),
            "n1",
            new ManualWorker());
    return new Ceilings(new RememberedRecords<>(), changes, path -> true);
  }
}
