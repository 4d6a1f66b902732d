package org.paceline.northbound.restconf;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.paceline.control.audit.Role;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.control.enrolment.IssuedCertificate;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.data.StateData;

/** The RPCs and the data of module paceline-enrolment. */
final class EnrolmentOperations {
  private final Supplier<EnrolmentTokens> tokens;
  private final Supplier<HostCertificates> certificates;

  EnrolmentOperations(Supplier<EnrolmentTokens> tokens, Supplier<HostCertificates> certificates) {
    this.tokens = tokens;
    this.certificates = certificates;
  }

  Map<String, Operation<Requester>> all() {
    return Map.of(
        "paceline-enrolment:make-token",
        new Changing(Role.ADMIN, this::make),
        "paceline-enrolment:withdraw-token",
        new Changing(Role.ADMIN, this::withdraw),
        "paceline-enrolment:revoke-certificates",
        new Changing(Role.ADMIN, this::revoke));
  }

  StateData<Requester> tokens() {
    return new ForAdmins(() -> list("token", tokens.get().all(), EnrolmentOperations::json));
  }

  StateData<Requester> certificates() {
    return new ForAdmins(
        () -> {
          Instant now = Instant.now();
          return list("certificate", certificates.get().all(), one -> json(one, now));
        });
  }

  private static <T> JsonObject list(String name, List<T> all, Function<T, JsonObject> json) {
    JsonArray list = new JsonArray();
    all.forEach(one -> list.add(json.apply(one)));
    JsonObject data = new JsonObject();
    if (!list.isEmpty()) {
      data.add(name, list);
    }
    return data;
  }

  private JsonObject make(JsonObject input, Requester who) {
    Set<String> addresses = new TreeSet<>();
    Optional.ofNullable(input.getAsJsonArray("address"))
        .ifPresent(all -> all.forEach(one -> addresses.add(one.getAsString())));
    Duration life =
        Optional.ofNullable(input.get("valid-for"))
            .map(JsonElement::getAsLong)
            .map(Duration::ofSeconds)
            .orElse(EnrolmentToken.USUAL_LIFE);
    String host = input.get("host").getAsString();
    EnrolmentTokens.Made made = tokens.get().make(who.author(), who.body(), host, addresses, life);
    JsonObject output = json(made.token());
    output.addProperty("token", made.text());
    return output;
  }

  private JsonObject withdraw(JsonObject input, Requester who) {
    tokens.get().withdraw(who.author(), input.get("id").getAsString());
    return new JsonObject();
  }

  private JsonObject revoke(JsonObject input, Requester who) {
    certificates.get().revoke(who.author(), who.body(), input.get("host").getAsString());
    return new JsonObject();
  }

  private static JsonObject json(EnrolmentToken token) {
    JsonObject json = new JsonObject();
    json.addProperty("id", token.id());
    json.addProperty("host", token.host());
    if (!token.addresses().isEmpty()) {
      JsonArray addresses = new JsonArray();
      new TreeSet<>(token.addresses()).forEach(addresses::add);
      json.add("address", addresses);
    }
    json.addProperty("author", token.author());
    json.addProperty("until", token.end().toString());
    return json;
  }

  private static JsonObject json(IssuedCertificate one, Instant now) {
    JsonObject json = new JsonObject();
    json.addProperty("serial", one.serial());
    json.addProperty("host", one.host());
    json.addProperty("until", one.end().toString());
    json.addProperty("in-force", one.isInForce(now));
    one.revoked().ifPresent(at -> json.addProperty("revoked-at", at.toString()));
    return json;
  }
}
