package org.paceline.agent.application;

import com.google.gson.JsonObject;
import java.util.concurrent.CompletionStage;

/** Who takes what applications say. */
public interface RequestHandler {
  /** Fails with an {@link IllegalArgumentException} that says why it is refused. */
  CompletionStage<JsonObject> take(Applicant by, Request request);

  /** The connection has ended. */
  void left(Applicant by);
}
