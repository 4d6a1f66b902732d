package org.paceline.json.solution;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.problem.Certificate;
import org.paceline.intents.problem.LevelBound;
import org.paceline.intents.unit.Utility;
import org.paceline.json.document.Fields;
import org.paceline.json.document.JsonCursor;
import org.paceline.json.document.Quantities;

/** Reads a certificate's proofs, prices and levels of water-filling. */
final class CertificateJson {
  private static final int MOST = 4_000_000;
  private static final String NO_SOLUTION = "Maybe it is no solution.";
  private static final BigDecimal GREATEST_PRICE = BigDecimal.valueOf(Double.MAX_VALUE);

  private CertificateJson() {}

  static Optional<Certificate.Proof> proof(JsonCursor json) throws IOException {
    Optional<String> name = json.text();
    for (Certificate.Proof proof : Certificate.Proof.values()) {
      if (name.isPresent() && name.get().equals(proof.name())) {
        return Optional.of(proof);
      }
    }
    json.fault("must be one of " + List.of(Certificate.Proof.values()) + ".");
    return Optional.empty();
  }

  static Optional<Map<LinkId, Double>> prices(JsonCursor json) throws IOException {
    Fields fields = new Fields(json);
    Fields.Field<String> from = fields.needed("from", JsonCursor::name);
    Fields.Field<String> to = fields.needed("to", JsonCursor::name);
    Fields.Field<BigDecimal> price = fields.needed("price", CertificateJson::price);
    Map<LinkId, Double> prices = new HashMap<>();
    boolean read =
        json.array(
            MOST,
            NO_SOLUTION,
            index -> {
              if (fields.read() && Fields.have(from, to, price)) {
                prices.put(LinkId.of(from.get(), to.get()), price.get().doubleValue());
              }
            });
    return read ? Optional.of(prices) : Optional.empty();
  }

  private static Optional<BigDecimal> price(JsonCursor json) throws IOException {
    return json.number(BigDecimal.ZERO, GREATEST_PRICE, "be a price from 0");
  }

  private static Optional<Map<Utility, Double>> fines(JsonCursor json) throws IOException {
    Fields fields = new Fields(json);
    Fields.Field<Utility> utility = fields.needed("utility", Quantities::utility);
    Fields.Field<BigDecimal> fine = fields.needed("fine", CertificateJson::price);
    Map<Utility, Double> fines = new HashMap<>();
    boolean read =
        json.array(
            MOST,
            NO_SOLUTION,
            index -> {
              if (fields.read() && Fields.have(utility, fine)) {
                fines.put(utility.get(), fine.get().doubleValue());
              }
            });
    return read ? Optional.of(fines) : Optional.empty();
  }

  static void levels(JsonCursor json, List<LevelBound> into) throws IOException {
    Fields fields = new Fields(json);
    Fields.Field<Utility> utility = fields.needed("utility", Quantities::utility);
    Fields.Field<Integer> fewest =
        fields.needed(
            "fewest",
            cursor -> cursor.wholeNumber(0, Integer.MAX_VALUE, "from 0 to " + Integer.MAX_VALUE));
    Fields.Field<Certificate.Proof> proof = fields.needed("proof", CertificateJson::proof);
    Fields.Field<Map<LinkId, Double>> prices = fields.needed("prices", CertificateJson::prices);
    Fields.Field<Map<Utility, Double>> fines = fields.needed("fines", CertificateJson::fines);
    json.array(
        MOST,
        NO_SOLUTION,
        index -> {
          if (fields.read() && Fields.have(utility, fewest, proof, prices, fines)) {
            into.add(
                LevelBound.of(utility.get(), fewest.get(), proof.get(), prices.get(), fines.get()));
          }
        });
  }
}
