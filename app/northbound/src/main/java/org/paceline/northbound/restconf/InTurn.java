package org.paceline.northbound.restconf;

import com.google.gson.JsonObject;
import java.util.function.Supplier;
import org.paceline.control.operations.Operations;
import org.paceline.control.operations.Turns;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.message.RestconfError;

/** An operation that reckons much and changes nothing: in turn with all that others ask so. */
final class InTurn implements Operation<Requester> {
  private final Operation<Requester> question;
  private final Supplier<Operations> operations;

  InTurn(Operation<Requester> question, Supplier<Operations> operations) {
    this.question = question;
    this.operations = operations;
  }

  @Override
  public void mustBeFor(Requester who) {
    question.mustBeFor(who);
  }

  @Override
  public JsonObject call(JsonObject input, Requester who) {
    return operations
        .get()
        .turns()
        .now(who.user().getName(), () -> question.call(input, who), InTurn::tooMany);
  }

  private static RestconfError tooMany(Turns.NotNow refusal) {
    return RestconfError.tooMany(refusal.why, refusal.comeAgain);
  }
}
