package org.paceline.agent.netns;

import java.io.PrintWriter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs a class's tests, or one, where no Maven is; fails unless each of them ran and held. */
public final class RunTests {
  private RunTests() {}

  public static void main(String[] arguments) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(
                    arguments[0].contains("#")
                        ? DiscoverySelectors.selectMethod(arguments[0])
                        : DiscoverySelectors.selectClass(arguments[0]))
                .build(),
            listener);
    TestExecutionSummary summary = listener.getSummary();
    summary.printFailuresTo(new PrintWriter(System.out, true), 30);
    System.out.println("tests that held: " + summary.getTestsSucceededCount());
    boolean all =
        summary.getTestsSucceededCount() > 0
            && summary.getTestsSucceededCount() == summary.getTestsFoundCount();
    System.exit(all ? 0 : 1);
  }
}
