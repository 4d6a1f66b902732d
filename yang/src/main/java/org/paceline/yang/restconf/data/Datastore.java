package org.paceline.yang.restconf.data;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.model.api.ListSchemaNode;
import org.paceline.intents.document.DocumentLimits;
import org.paceline.intents.tree.IntentTree;
import org.paceline.yang.IntentsDocument;
import org.paceline.yang.Misfit;
import org.paceline.yang.restconf.message.EntityTag;
import org.paceline.yang.restconf.message.Reply;
import org.paceline.yang.restconf.message.Request;
import org.paceline.yang.restconf.message.RestconfError;

/**
 * The data below {root}/data. The configuration is the intent tree, everything else is state that
 * is read when it is asked for. A change is made on a copy, held against the model, and takes the
 * place of exactly what it was made from.
 */
public final class Datastore<C> {
  private static final String INTENTS = "paceline-intents:intents";
  private static final int TRIES = 20;
  private static final int OK = 200;
  private static final int CREATED = 201;
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final String ALL = Edits.ON_DATASTORE + ", DELETE";
  private static final String READ = "GET, HEAD, OPTIONS";

  private final String root;
  private final EffectiveModelContext model;
  private final IntentConfiguration<C> configuration;
  private final Map<String, StateData<C>> state;
  private final IntentsDocument document;
  private final Edits edits;
  private volatile Optional<Running> latest = Optional.empty();

  public Datastore(
      String root,
      EffectiveModelContext model,
      IntentConfiguration<C> configuration,
      Map<String, StateData<C>> state) {
    this.root = root;
    this.model = model;
    this.configuration = configuration;
    this.state = state;
    this.document = new IntentsDocument(model);
    this.edits = new Edits(new ModelData(model));
  }

  public Reply answer(Request request, DataPath path, C client) {
    try {
      return answerOf(request, path, client);
    } catch (RestconfError e) {
      throw e.in(path.identifier());
    }
  }

  private Reply answerOf(Request request, DataPath path, C client) {
    boolean isConfiguration = path.isRoot() || path.last().node.isConfiguration();
    switch (request.method()) {
      case "GET":
      case "HEAD":
        return read(request, path, isConfiguration, client);
      case "OPTIONS":
        Reply options = Reply.of(NO_CONTENT).with("Allow", allow(path, isConfiguration));
        return isConfiguration ? options.with("Accept-Patch", Request.MEDIA_TYPE) : options;
      case "POST":
      case "PUT":
      case "PATCH":
      case "DELETE":
        if (!isConfiguration) {
          throw RestconfError.notSupported(READ, "(" + path + ") is state: it can be read only.");
        }
        if (!request.query().isEmpty()) {
          // What order entries are in says nothing here: insert and point have no meaning.
          throw RestconfError.invalid("A change takes no query parameters.");
        }
        configuration.mustBeChangedBy(client);
        return change(request, path, client);
      default:
        throw RestconfError.notSupported(
            allow(path, isConfiguration), "(" + request.method() + ") is not for data.");
    }
  }

  private static String allow(DataPath path, boolean isConfiguration) {
    if (!isConfiguration) {
      return READ;
    }
    return path.isRoot() ? Edits.ON_DATASTORE : ALL;
  }

  private Reply read(Request request, DataPath path, boolean isConfiguration, C client) {
    Retrieval retrieval = Retrieval.of(model, request, path);
    Running configured = running(configuration.tree());
    // What is put beside the configuration must not get into it.
    JsonObject running = new JsonObject();
    configured.data.entrySet().forEach(one -> running.add(one.getKey(), one.getValue()));
    Preconditions now = preconditions(configured);
    // The tag says nothing of the state that stands beside the configuration at the root.
    boolean isTagged = isConfiguration && (!path.isRoot() || retrieval.isOfConfigurationOnly());
    boolean isThere = path.isRoot() || path.in(running).isPresent();
    if (isTagged && isThere && now.isKnown(request)) {
      return now.on(Reply.of(NOT_MODIFIED));
    }
    Reply reply = isConfiguration ? now.on(Reply.of(OK)) : Reply.of(OK);
    JsonObject body = new JsonObject();
    if (path.isRoot()) {
      if (!retrieval.isOfConfigurationOnly()) {
        addState(running, retrieval, client);
      }
      body.add("ietf-restconf:data", retrieval.of(running));
      return reply.with(body);
    }
    String top = path.steps().get(0).member;
    Optional<StateData<C>> asked = Optional.ofNullable(state.get(top));
    asked.ifPresent(holds -> holds.mustBeFor(client));
    asked.ifPresent(holds -> running.add(top, holds.now()));
    JsonElement found = path.in(running).orElseThrow(() -> Edits.absent(path));
    JsonElement part = retrieval.of(path.last().node, found);
    if (path.last().isEntry()) {
      JsonArray one = new JsonArray();
      one.add(part);
      part = one;
    } else if (path.last().node instanceof ListSchemaNode && !part.isJsonArray()) {
      part = new JsonArray();
    }
    body.add(path.heading(), part);
    return reply.with(body);
  }

  /**
   * Beside the configuration. What the client may not read is left out without a word (RFC 8341,
   * section 3.2.4). What cannot be read is not: a client that compares what it reads with what it
   * knows would take all of it for deleted. So the answer is an error that names the container.
   * What is not asked for is not read, so that it keeps nobody from the rest.
   */
  private void addState(JsonObject running, Retrieval retrieval, C client) {
    state.forEach(
        (name, holds) -> {
          if (retrieval.wants(name) && mayRead(client, holds)) {
            running.add(name, readable(name, holds));
          }
        });
  }

  private boolean mayRead(C client, StateData<C> holds) {
    try {
      holds.mustBeFor(client);
      return true;
    } catch (RestconfError denied) {
      return false;
    }
  }

  private JsonObject readable(String name, StateData<C> holds) {
    try {
      return holds.now();
    } catch (RestconfError unreadable) {
      throw unreadable.of("/" + name, "Maybe ask for the others by fields.");
    }
  }

  /** Another change in between is no reason to refuse, unless the client said what it expects. */
  private Reply change(Request request, DataPath path, C client) {
    // First of all, so that what is refused costs no more than reading it.
    JsonObject body = request.method().equals("DELETE") ? new JsonObject() : body(request);
    for (int attempt = 0; attempt < TRIES; attempt++) {
      IntentTree before = configuration.tree();
      Running configured = running(before);
      JsonObject running = configured.data;
      boolean isThere = path.isRoot() || path.in(running).isPresent();
      preconditions(configured).require(request, path, isThere);
      Reply reply = Reply.of(NO_CONTENT);
      JsonObject after;
      if (request.method().equals("POST")) {
        Edits.Created created = edits.post(running, path, body);
        after = created.after;
        reply = Reply.of(CREATED).with("Location", root + "/data/" + created.path);
      } else if (request.method().equals("PUT")) {
        reply = Reply.of(isThere ? NO_CONTENT : CREATED);
        after = edits.put(running, path, body);
      } else if (request.method().equals("PATCH")) {
        after = edits.patch(running, path, body);
      } else {
        after = edits.delete(running, path);
      }
      IntentTree next = tree(after);
      Running kept = new Running(next, json(next));
      requireUsed(running, after, kept.data);
      if (request.method().equals("DELETE") && path.in(kept.data).isPresent()) {
        throw RestconfError.conflict(
            "(" + path + ") is needed by intents below it. Maybe delete those first.");
      }
      if (configuration.replace(before, next, client)) {
        latest = Optional.of(kept);
        return preconditions(kept).on(reply);
      }
    }
    throw RestconfError.conflict("Others kept changing the intents. Maybe try again.");
  }

  private Preconditions preconditions(Running configured) {
    return new Preconditions(configured.tag, configuration.changed());
  }

  /** Made once for each tree: to write one out takes longer than all else of a request. */
  private Running running(IntentTree tree) {
    Optional<Running> known = latest.filter(one -> one.tree.equals(tree));
    if (known.isPresent()) {
      return known.get();
    }
    Running made = new Running(tree, json(tree));
    latest = Optional.of(made);
    return made;
  }

  private static JsonObject body(Request request) {
    request.mustBeOfMediaType();
    return StrictJson.read(request.body(), DocumentLimits.REQUEST);
  }

  /** A tree keeps the utility functions that its nodes name, and no others. */
  private static void requireUsed(JsonObject before, JsonObject wanted, JsonObject kept) {
    Set<String> lost = new TreeSet<>(functions(wanted));
    lost.removeAll(functions(before));
    lost.removeAll(functions(kept));
    if (!lost.isEmpty()) {
      throw RestconfError.invalidData(
          "No intent names the utility function "
              + lost
              + ". Maybe send it together with one that does, in one PATCH.");
    }
  }

  private static Set<String> functions(JsonObject data) {
    Set<String> names = new TreeSet<>();
    JsonElement list = data.getAsJsonObject(INTENTS).get("utility-function");
    if (list != null) {
      list.getAsJsonArray().forEach(f -> names.add(f.getAsJsonObject().get("name").getAsString()));
    }
    return names;
  }

  private JsonObject json(IntentTree tree) {
    StringWriter written = new StringWriter();
    try {
      document.write(tree, written);
    } catch (IOException e) {
      throw new IllegalStateException("A string could not be written.", e);
    } catch (IllegalArgumentException e) {
      // Two utility functions of one name, put there in another way.
      throw RestconfError.conflict(String.valueOf(e.getMessage()));
    }
    return StrictJson.read(written.toString(), DocumentLimits.FILE);
  }

  private IntentTree tree(JsonObject intents) {
    if (!intents.has(INTENTS)) {
      intents.add(INTENTS, new JsonObject());
    }
    try {
      return document.read(intents);
    } catch (Misfit e) {
      throw RestconfError.of(e);
    } catch (IllegalArgumentException e) {
      // What the model allows, and the policy does not.
      throw RestconfError.invalidData(String.valueOf(e.getMessage())).in("/" + INTENTS);
    }
  }

  /** A tree as data, which nobody changes, and its tag. */
  private static final class Running {
    private final IntentTree tree;
    private final JsonObject data;
    private final String tag;

    Running(IntentTree tree, JsonObject data) {
      this.tree = tree;
      this.data = data;
      this.tag = EntityTag.of(data.toString());
    }
  }
}
