package org.paceline.yang.restconf;

import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.paceline.yang.restconf.data.DataPath;
import org.paceline.yang.restconf.data.Datastore;
import org.paceline.yang.restconf.data.IntentConfiguration;
import org.paceline.yang.restconf.data.Retrieval;
import org.paceline.yang.restconf.data.StateData;
import org.paceline.yang.restconf.message.MediaRange;
import org.paceline.yang.restconf.message.Reply;
import org.paceline.yang.restconf.message.Request;
import org.paceline.yang.restconf.message.RestconfError;

/**
 * A RESTCONF server (RFC 8040) in JSON (RFC 7951) without its web server; any thread may ask it.
 *
 * @param <C> who asks: handed to what a request changes, which says what they may do
 */
public final class Restconf<C> {

  /** The same for clients that know no better. */
  private static final String PLAIN_MEDIA_TYPE = "application/json";

  /** Of what is sent as it happens. */
  public static final String STREAM_MEDIA_TYPE = "text/event-stream";

  private static final String LIBRARY_VERSION = "2019-01-04";
  private static final String READ = "GET, HEAD, OPTIONS";
  private static final int OK = 200;
  private static final int NO_CONTENT = 204;
  private static final int NOT_ACCEPTABLE = 406;

  private final EffectiveModelContext model;
  private final Datastore<C> datastore;
  private final Operations<C> operations;
  private final Supplier<EventStreams> streams;

  /**
   * @param root where clients find it, such as /restconf
   * @param state what each container at the top holds, by its name with its module's
   * @param operations what each RPC of the model does, by its name with its module's
   * @param streams to which clients may listen
   * @throws IllegalArgumentException if the model has other RPCs
   */
  public Restconf(
      String root,
      EffectiveModelContext model,
      IntentConfiguration<C> configuration,
      Map<String, ? extends StateData<C>> state,
      Map<String, Operation<C>> operations,
      Supplier<EventStreams> streams) {
    Map<String, StateData<C>> all = new TreeMap<>(state);
    JsonObject library = YangLibrary.of(model);
    all.put("ietf-yang-library:yang-library", () -> library);
    all.put(
        "ietf-restconf-monitoring:restconf-state",
        () -> YangLibrary.state(streams.get().data(root)));
    this.model = model;
    this.datastore = new Datastore<>(root, model, configuration, all);
    this.operations = new Operations<>(model, operations);
    this.streams = streams;
  }

  /**
   * Never throws for what a client can do wrong.
   *
   * @param path below the root, percent-encoded
   * @param query percent-encoded, empty for none
   */
  public Reply answer(
      C client,
      String method,
      String path,
      String query,
      Map<String, String> headers,
      byte[] body) {
    String type = Request.MEDIA_TYPE;
    try {
      Request request = Request.of(method, path, query, headers, body);
      type = mediaType(request);
      Reply reply = headed(route(request, client), type);
      return request.method().equals("HEAD") ? reply.withoutBody() : reply;
    } catch (RestconfError e) {
      return headed(e.reply(), type);
    }
  }

  private static Reply headed(Reply reply, String type) {
    // Who keeps it asks again before using it (RFC 8040, section 5.5).
    Reply fresh = reply.with("Cache-Control", "no-cache");
    return reply.body().isPresent() ? fresh.with("Content-Type", type) : fresh;
  }

  /** Of bodies: plain JSON only for who accepts nothing better. */
  private static String mediaType(Request request) {
    String accept = request.header("Accept").orElse("");
    boolean isPlain =
        !MediaRange.allows(accept, Request.MEDIA_TYPE)
            && MediaRange.allows(accept, PLAIN_MEDIA_TYPE);
    return isPlain ? PLAIN_MEDIA_TYPE : Request.MEDIA_TYPE;
  }

  private Reply route(Request request, C client) {
    List<String> segments = request.segments();
    String resource = segments.isEmpty() ? "" : segments.get(0);
    List<String> below = segments.isEmpty() ? List.of() : segments.subList(1, segments.size());
    boolean isStream = resource.equals("streams") && below.size() == 1;
    requireAcceptable(request, isStream ? STREAM_MEDIA_TYPE : mediaType(request));
    if (isStream) {
      return streams.get().answer(request, Request.decode(below.get(0)));
    }
    if (resource.equals("data")) {
      return datastore.answer(request, DataPath.parse(model, below), client);
    }
    if (resource.equals("operations") && below.size() == 1) {
      return operations.answer(request, Request.decode(below.get(0)), client);
    }
    JsonObject body = new JsonObject();
    Set<String> members = Set.of();
    if (segments.isEmpty()) {
      JsonObject api = new JsonObject();
      api.add("data", new JsonObject());
      api.add("operations", new JsonObject());
      api.addProperty("yang-library-version", LIBRARY_VERSION);
      body.add("ietf-restconf:restconf", api);
      members = api.keySet();
    } else if (resource.equals("operations") && below.isEmpty()) {
      body.add("ietf-restconf:operations", operations.all());
      members = operations.all().keySet();
    } else if (resource.equals("yang-library-version") && below.isEmpty()) {
      body.addProperty("ietf-restconf:yang-library-version", LIBRARY_VERSION);
    } else {
      throw RestconfError.missing(
          "There is no ("
              + String.join("/", segments)
              + "). Maybe data, operations, yang-library-version, or a stream that"
              + " data/ietf-restconf-monitoring:restconf-state names.");
    }
    if (!List.of(READ.split(", ")).contains(request.method())) {
      throw RestconfError.notSupported(
          READ, "(" + request.method() + ") is not for this resource.");
    }
    // Refuses what is no parameter; what it would leave out is not worth it here.
    Retrieval.of(model, request, members);
    return request.method().equals("OPTIONS")
        ? Reply.of(NO_CONTENT).with("Allow", READ)
        : Reply.of(OK).with(body);
  }

  private static void requireAcceptable(Request request, String served) {
    String accept = request.header("Accept").orElse("");
    if (MediaRange.allows(accept, served)) {
      return;
    }
    throw new RestconfError(
        NOT_ACCEPTABLE,
        "protocol",
        "invalid-value",
        "Nothing is served as (" + accept + "). Maybe accept " + served + ".");
  }
}
