package org.paceline.northbound.restconf;

import com.google.gson.JsonObject;
import java.util.function.Supplier;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Role;
import org.paceline.yang.restconf.data.StateData;
import org.paceline.yang.restconf.message.RestconfError;

/** State that only an admin may read. */
final class ForAdmins implements StateData<Requester> {
  private final Supplier<JsonObject> state;

  ForAdmins(Supplier<JsonObject> state) {
    this.state = state;
  }

  @Override
  public void mustBeFor(Requester who) {
    who.must(user -> user.mustHold(Role.ADMIN));
  }

  @Override
  public JsonObject now() {
    try {
      return state.get();
    } catch (Refused e) {
      throw RestconfError.conflict(String.valueOf(e.getMessage()));
    }
  }
}
