package org.paceline.northbound.restconf;

import com.google.gson.JsonObject;
import org.paceline.control.audit.Role;
import org.paceline.yang.restconf.Operation;

/** An operation that changes something; of which branch, its input says. */
final class Changing implements Operation<Requester> {
  private final Operation<Requester> change;

  Changing(Operation<Requester> change) {
    this.change = change;
  }

  @Override
  public void mustBeFor(Requester who) {
    who.must(user -> user.mustHold(Role.BRANCH));
  }

  @Override
  public JsonObject call(JsonObject input, Requester who) {
    return change.call(input, who);
  }
}
