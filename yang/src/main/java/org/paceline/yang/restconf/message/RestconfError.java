package org.paceline.yang.restconf.message;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Map;
import org.paceline.intents.document.Quoted;
import org.paceline.yang.Misfit;

/** A refusal as RFC 8040, section 7, wants it: a status, an error tag, and a sentence. */
public final class RestconfError extends RuntimeException {
  private static final int BAD_REQUEST = 400;
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int CONFLICT = 409;
  private static final int PRECONDITION_FAILED = 412;
  private static final int TOO_MANY = 429;

  private static final int LONGEST_PATH = 300;

  private final int status;
  private final String type;
  private final String tag;
  private final transient Map<String, String> headers;
  private final String path;

  public RestconfError(int status, String type, String tag, String message) {
    this(status, type, tag, message, Map.of(), "");
  }

  private RestconfError(
      int status,
      String type,
      String tag,
      String message,
      Map<String, String> headers,
      String path) {
    super(Quoted.clipped(message));
    this.status = status;
    this.type = type;
    this.tag = tag;
    this.headers = headers;
    // A key of the request's may be as long as a text may be.
    this.path = path.length() > LONGEST_PATH ? "" : path;
  }

  public static RestconfError of(Misfit misfit) {
    return new RestconfError(
        BAD_REQUEST,
        "application",
        misfit.kind().tag(),
        String.valueOf(misfit.getMessage()),
        Map.of(),
        misfit.path().orElse(""));
  }

  /** The same of a node, unless one is named already; empty for none. */
  public RestconfError in(String node) {
    return path.isEmpty()
        ? new RestconfError(status, type, tag, String.valueOf(getMessage()), headers, node)
        : this;
  }

  /**
   * The same, where a request asked for more than this node.
   *
   * @param wayOut what may be asked for in its place, a sentence
   */
  public RestconfError of(String node, String wayOut) {
    return new RestconfError(
        status,
        type,
        tag,
        "(" + node + ") cannot be read: " + getMessage() + " " + wayOut,
        headers,
        node);
  }

  public static RestconfError malformed(String message) {
    return new RestconfError(BAD_REQUEST, "protocol", "malformed-message", message);
  }

  /** The request's own fault, outside its body. */
  public static RestconfError invalid(String message) {
    return new RestconfError(BAD_REQUEST, "protocol", "invalid-value", message);
  }

  /** Data that the model or the domain does not allow; also what an operation refuses. */
  public static RestconfError invalidData(String message) {
    return new RestconfError(BAD_REQUEST, "application", "invalid-value", message);
  }

  public static RestconfError missing(String message) {
    return new RestconfError(NOT_FOUND, "application", "invalid-value", message);
  }

  /** Whoever asks may not. */
  public static RestconfError denied(String message) {
    return new RestconfError(FORBIDDEN, "protocol", "access-denied", message);
  }

  /** There is no room for it now. */
  static RestconfError full(String message) {
    return new RestconfError(CONFLICT, "application", "resource-denied", message);
  }

  /**
   * More than may be asked; its header says when it may, in whole seconds (RFC 6585, section 4).
   */
  public static RestconfError tooMany(String message, Duration wait) {
    String seconds = Long.toString(wait.toSeconds());
    return new RestconfError(
        TOO_MANY,
        "application",
        "resource-denied",
        message + " Maybe send it again in " + seconds + " s.",
        Map.of("Retry-After", seconds),
        "");
  }

  public static RestconfError exists(String message) {
    return new RestconfError(CONFLICT, "application", "data-exists", message);
  }

  /** What the request would change is changing, or is not in a state to be changed. */
  public static RestconfError conflict(String message) {
    return new RestconfError(CONFLICT, "application", "in-use", message);
  }

  /**
   * @param allow the methods that the resource has
   */
  public static RestconfError notSupported(String allow, String message) {
    return new RestconfError(
        METHOD_NOT_ALLOWED,
        "protocol",
        "operation-not-supported",
        message + " Maybe one of " + allow + ".",
        Map.of("Allow", allow),
        "");
  }

  public static RestconfError changedMeanwhile(String message) {
    return new RestconfError(PRECONDITION_FAILED, "protocol", "operation-failed", message);
  }

  public int status() {
    return status;
  }

  public String tag() {
    return tag;
  }

  public Reply reply() {
    JsonObject error = new JsonObject();
    error.addProperty("error-type", type);
    error.addProperty("error-tag", tag);
    if (!path.isEmpty()) {
      error.addProperty("error-path", path);
    }
    error.addProperty("error-message", getMessage());
    JsonArray list = new JsonArray();
    list.add(error);
    JsonObject errors = new JsonObject();
    errors.add("error", list);
    JsonObject body = new JsonObject();
    body.add("ietf-restconf:errors", errors);
    Reply reply = Reply.of(status).with(body);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      reply = reply.with(header.getKey(), header.getValue());
    }
    return reply;
  }
}
