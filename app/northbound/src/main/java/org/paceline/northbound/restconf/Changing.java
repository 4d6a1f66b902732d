package org.paceline.northbound.restconf;

import com.google.gson.JsonObject;
import org.paceline.control.audit.Absent;
import org.paceline.control.audit.Denied;
import org.paceline.control.audit.Refused;
import org.paceline.control.audit.Role;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.message.RestconfError;

/**
 * An operation that changes something. Of which branch, its input says; what the use case refuses
 * has the status that it has over REST.
 */
final class Changing implements Operation<Requester> {
  private final Role needs;
  private final Operation<Requester> change;

  Changing(Role needs, Operation<Requester> change) {
    this.needs = needs;
    this.change = change;
  }

  @Override
  public void mustBeFor(Requester who) {
    who.must(user -> user.mustHold(needs));
  }

  @Override
  public JsonObject call(JsonObject input, Requester who) {
    try {
      return change.call(input, who);
    } catch (Denied e) {
      throw RestconfError.denied(String.valueOf(e.getMessage()));
    } catch (Absent e) {
      throw RestconfError.missing(String.valueOf(e.getMessage()));
    } catch (Refused e) {
      throw RestconfError.conflict(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw RestconfError.invalidData(String.valueOf(e.getMessage()));
    }
  }
}
