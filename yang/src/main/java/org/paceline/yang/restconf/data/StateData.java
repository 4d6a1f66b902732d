package org.paceline.yang.restconf.data;

import com.google.gson.JsonObject;
import org.paceline.yang.restconf.message.RestconfError;

/**
 * What a container of state holds.
 *
 * @param <C> who asks: nothing here looks into it
 */
@FunctionalInterface
public interface StateData<C> {
  /**
   * Its members at this moment; none for an empty one.
   *
   * @throws RestconfError if it cannot be read; nor can the whole datastore then
   */
  JsonObject now();

  /**
   * Asked before it is read. In what a client reads of the whole datastore it is left out without a
   * word, as access control of RFC 8341 has it.
   *
   * @throws RestconfError if this is not for the client
   */
  default void mustBeFor(C client) {}
}
