package org.paceline.northbound.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import org.paceline.control.api.ConversationService;
import org.paceline.control.inventory.LedgerEntry;

/** Data of module paceline-ledger. */
public final class LedgerData {
  private LedgerData() {}

  /** Rates are in kbit/s. */
  public static JsonObject of(ConversationService use) {
    JsonArray loans = new JsonArray();
    use.ledger().forEach(one -> loans.add(json(one)));
    JsonObject data = new JsonObject();
    if (!loans.isEmpty()) {
      data.add("loan", loans);
    }
    return data;
  }

  private static JsonObject json(LedgerEntry one) {
    JsonObject json = new JsonObject();
    json.addProperty("from-node", one.link().from());
    json.addProperty("to-node", one.link().to());
    json.addProperty("lender", one.lender().toString());
    json.addProperty("borrower", one.borrower().toString());
    json.addProperty("rate", Leaf.rate(one.rate()));
    json.addProperty("since", one.since().toString());
    one.returnedAt().ifPresent(at -> json.addProperty("returned-at", at.toString()));
    return json;
  }
}
