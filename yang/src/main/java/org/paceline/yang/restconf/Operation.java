package org.paceline.yang.restconf;

import com.google.gson.JsonObject;

/**
 * What an RPC of the model does.
 *
 * @param <C> who asks: nothing here looks into it
 */
@FunctionalInterface
public interface Operation<C> {
  /**
   * @param input as the model has it, empty where the client sent none
   * @return the members of the output; none for an RPC without one
   * @throws RestconfError if it refuses
   */
  JsonObject call(JsonObject input, C client);

  /**
   * Asked before the input is read.
   *
   * @throws RestconfError if this is not for the client, whatever the input
   */
  default void mustBeFor(C client) {}
}
