package org.paceline.northbound.restconf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.opendaylight.yangtools.yang.model.api.LeafSchemaNode;
import org.opendaylight.yangtools.yang.model.api.type.Uint32TypeDefinition;
import org.paceline.control.ManualWorker;
import org.paceline.control.RememberedCertificates;
import org.paceline.control.RememberedRecords;
import org.paceline.control.audit.Change;
import org.paceline.control.audit.ChangeLog;
import org.paceline.control.audit.User;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.enrolment.HostCertificates;
import org.paceline.yang.PacelineModel;
import org.paceline.yang.restconf.Operation;
import org.paceline.yang.restconf.data.StateData;
import org.paceline.yang.restconf.message.RestconfError;

/** Over RESTCONF a token is shown once, only admins see any of it, and refusals are as in REST. */
final class EnrolmentOperationsTest {
  private static final Requester ADA = requester("ada", "admin");

  private final ManualWorker clock = new ManualWorker();
  private final RememberedRecords<Change> log = new RememberedRecords<>();
  private final ChangeLog changes =
      new ChangeLog(RememberedRecords.numbered(log), new RememberedRecords<>(), "n1", clock);
  private final RememberedCertificates authority = new RememberedCertificates();
  private final EnrolmentTokens tokens =
      new EnrolmentTokens(new RememberedRecords<>(), changes, () -> Optional.of(authority), clock);
  private final HostCertificates certificates =
      new HostCertificates(tokens, changes, () -> Optional.of(authority));
  private final EnrolmentOperations operations =
      new EnrolmentOperations(() -> tokens, () -> certificates);

  private static Requester requester(String name, String... roles) {
    User user = User.of(name, Set.of(roles));
    Map<String, Object> answers = Map.of("getUserPrincipal", user, "getRemoteUser", name);
    HttpServletRequest request =
        (HttpServletRequest)
            Proxy.newProxyInstance(
                EnrolmentOperationsTest.class.getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (proxy, asked, arguments) -> answers.get(asked.getName()));
    return new Requester(request, "the body".getBytes(StandardCharsets.UTF_8));
  }

  private JsonObject call(String name, String input) {
    Operation<Requester> operation =
        Objects.requireNonNull(operations.all().get("paceline-enrolment:" + name));
    operation.mustBeFor(ADA);
    return operation.call(JsonParser.parseString(input).getAsJsonObject(), ADA);
  }

  private void isRefused(int status, String says, String name, String input) {
    assertThatThrownBy(() -> call(name, input))
        .asInstanceOf(type(RestconfError.class))
        .satisfies(error -> assertThat(error.status()).isEqualTo(status))
        .satisfies(error -> assertThat(error).hasMessageContaining(says));
  }

  @Test
  void aTokenIsShownOnceListedAndWithdrawn() {
    JsonObject made =
        call("make-token", "{\"host\":\"srv1\",\"address\":[\"2001:DB8::1\",\"10.0.0.1\"]}");
    String token = made.remove("token").getAsString();
    assertThat(tokens.isWorth(Base64.getDecoder().decode(token))).isTrue();
    assertThat(made.get("until").getAsString())
        .isEqualTo(clock.instant().plus(Duration.ofHours(1)).toString());
    JsonObject listed = operations.tokens().now();
    assertThat(listed.getAsJsonArray("token")).containsExactly(made);
    assertThat(made.get("address").toString()).isEqualTo("[\"10.0.0.1\",\"2001:db8::1\"]");
    assertThat(log.find("1").orElseThrow().toString()).contains("the body").doesNotContain(token);
    String id = "{\"id\":" + made.get("id") + "}";
    assertThat(call("withdraw-token", id).size()).isZero();
    assertThat(operations.tokens().now().size()).isZero();
    isRefused(404, "There is no token", "withdraw-token", id);
  }

  @Test
  void theModelTellsClientsTheLifeThatATokenHas() {
    LeafSchemaNode leaf =
        PacelineModel.load().findModules("paceline-enrolment").iterator().next().getRpcs().stream()
            .filter(rpc -> rpc.getQName().getLocalName().equals("make-token"))
            .flatMap(rpc -> rpc.getInput().getChildNodes().stream())
            .filter(child -> child.getQName().getLocalName().equals("valid-for"))
            .map(LeafSchemaNode.class::cast)
            .collect(Collectors.toList())
            .get(0);
    Uint32TypeDefinition type = (Uint32TypeDefinition) leaf.getType();
    assertThat(type.getDefaultValue().orElseThrow())
        .hasToString(Long.toString(EnrolmentToken.USUAL_LIFE.toSeconds()));
    assertThat(type.getRangeConstraint().orElseThrow().getAllowedRanges())
        .hasToString("[[1.." + EnrolmentToken.LONGEST_LIFE.toSeconds() + "]]");
    assertThat(EnrolmentToken.USUAL_LIFE.toMinutes()).isEqualTo(EnrolmentToken.USUAL_LIFE_MINUTES);
  }

  @Test
  void certificatesAreListedAndRevoked() {
    Instant end = Instant.now().plus(Duration.ofDays(90));
    authority.issue("a1", "srv1", Instant.EPOCH);
    authority.issue("a2", "srv1", end);
    call("make-token", "{\"host\":\"srv1\",\"valid-for\":60}");
    assertThat(listed())
        .containsExactly(
            "{\"serial\":\"a1\",\"host\":\"srv1\",\"until\":\"1970-01-01T00:00:00Z\",\"in-force\":false}",
            "{\"serial\":\"a2\",\"host\":\"srv1\",\"until\":\"" + end + "\",\"in-force\":true}");
    call("revoke-certificates", "{\"host\":\"srv1\"}");
    assertThat(listed())
        .allMatch(one -> one.contains("\"in-force\":false,\"revoked-at\":\""))
        .hasSize(2);
    assertThat(operations.tokens().now().size()).isZero();
    isRefused(404, "(srv1) has no certificate", "revoke-certificates", "{\"host\":\"srv1\"}");
  }

  private List<String> listed() {
    return operations.certificates().now().getAsJsonArray("certificate").asList().stream()
        .map(Object::toString)
        .collect(Collectors.toList());
  }

  @Test
  void whatIsRefusedHasTheStatusAndTheSentenceOfRest() {
    isRefused(400, "(a/b) is no hostId", "make-token", "{\"host\":\"a/b\"}");
    isRefused(400, "at most 30 days", "make-token", "{\"host\":\"srv1\",\"valid-for\":2592001}");
    authority.issue("a1", "srv1", Instant.EPOCH);
    authority.loseKey();
    isRefused(409, "signs no certificates", "make-token", "{\"host\":\"srv1\"}");
    isRefused(409, "revokes no certificates", "revoke-certificates", "{\"host\":\"srv1\"}");
  }

  @Test
  void nobodyButAnAdminIsAnsweredWhateverTheySend() {
    for (Requester who : List.of(requester("vera", "viewer"), requester("ola", "operator"))) {
      for (Operation<Requester> operation : operations.all().values()) {
        assertThatThrownBy(() -> operation.mustBeFor(who)).hasMessageContaining("role admin");
      }
      for (StateData<Requester> state : List.of(operations.tokens(), operations.certificates())) {
        assertThatThrownBy(() -> state.mustBeFor(who)).hasMessageContaining("role admin");
      }
    }
  }
}
