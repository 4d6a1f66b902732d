import client.ApiClient;
import client.ApiException;
import client.api.DraftsApi;
import client.api.IntentsApi;
import client.api.PolicyApi;
import client.api.ReservationsApi;
import client.api.StateApi;
import client.model.Commit;
import client.model.IntentPolicy;
import client.model.Intents;
import client.model.IntentsIntentsInner;
import client.model.ReservationRequest;
import client.model.Target;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Does with the generated client what a user would, and prints what came of it. */
public final class DrivesTheClient {
  private static final String NODE = "web-browsing/generated-java";

  private DrivesTheClient() {}

  public static void main(String[] words) throws ApiException {
    String login = Base64.getEncoder().encodeToString(words[1].getBytes(StandardCharsets.UTF_8));
    ApiClient client = new ApiClient();
    client.updateBaseUri(words[0]);
    client.setRequestInterceptor(request -> request.header("Authorization", "Basic " + login));
    System.out.println("mode " + new StateApi(client).getState().getMode().getValue());

    IntentsApi intents = new IntentsApi(client);
    intents.setIntent(NODE, new IntentPolicy().priority(7), null, null, "JAVA-1");
    System.out.println("set " + priority(intents.getIntents()));
    intents.removeIntent(NODE, null, null);
    System.out.println("removed " + priority(intents.getIntents()));

    DraftsApi drafts = new DraftsApi(client);
    drafts.putDraft("generated-java", changed(intents.getIntents()), null, null);
    System.out.println("nodes " + drafts.compareDraft("generated-java", null).getNodes());
    PolicyApi policy = new PolicyApi(client);
    long before = policy.getPolicy().getVersion();
    // This generator writes a body that is left out as null, which is none; {} says the same.
    drafts.commitDraft("generated-java", null, null, null, new Commit());
    System.out.println("versions " + (policy.getPolicy().getVersion() - before));
    policy.rollBackPolicy(null, null, new Target());

    ReservationRequest wish =
        new ReservationRequest()
            .from("10.99.0.1")
            .to("10.99.0.2")
            .rateKbps(BigDecimal.valueOf(1000))
            .durationSeconds(60L);
    System.out.println(
        "admitted " + new ReservationsApi(client).askReservation(wish, null, null).getAdmitted());
    try {
      intents.removeIntent("nobody", null, null);
    } catch (ApiException refused) {
      System.out.println("refused " + refused.getCode() + " " + refused.getResponseBody());
    }
  }

  private static Object priority(Intents tree) {
    for (IntentsIntentsInner each : tree.getIntents()) {
      if (NODE.equals(each.getPropertyClass() + "/" + each.getIntent())) {
        return each.getPriority();
      }
    }
    return "none";
  }

  private static Intents changed(Intents tree) {
    for (IntentsIntentsInner each : tree.getIntents()) {
      if ("voip".equals(each.getPropertyClass()) && each.getIntent() == null) {
        each.setPriority(each.getPriority() == null ? 9 : each.getPriority() + 1);
      }
    }
    return tree;
  }
}
