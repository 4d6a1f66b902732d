package org.paceline.northbound.rest.document;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.ws.rs.Consumes;
import javax.ws.rs.HttpMethod;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import org.paceline.northbound.rest.operations.Asynchronous;
import org.paceline.northbound.rest.request.Caller;
import org.paceline.northbound.rest.request.IdempotencyFilter;
import org.paceline.northbound.rest.request.Operation;
import org.paceline.northbound.rest.view.Json;

/**
 * The OpenAPI 3.1 document, made from the resources' own annotations, so that the two cannot
 * differ; what bodies and parameters look like is in schemas.json. A resource's name is the tag of
 * its operations and a method's name the id of one: generated clients are named so.
 */
public final class OpenApi {
  /**
   * What any operation may answer, last that the address is too long for the web server, that the
   * client sends too much, or that nobody is there.
   */
  private static final int[] ALL = {400, 401, 403, 406, 414, 429, 503};

  /** And a write: in conflict, too long, of another type, or a key that was used before. */
  private static final int[] WRITE = {409, 413, 415, 422};

  private final JsonNode library = Json.parse(DocumentResource.resource("schemas.json"));
  private final ObjectNode paths = Json.object();
  private final Set<String> ids = new HashSet<>();

  private OpenApi() {}

  public static ObjectNode of(Collection<Class<?>> resources) {
    OpenApi openApi = new OpenApi();
    resources.forEach(openApi::add);
    ObjectNode document = Json.object().put("openapi", "3.1.0");
    document.set("info", openApi.library.get("info"));
    document.putArray("servers").addObject().put("url", "/onos/paceline");
    document.putArray("security").addObject().putArray("onos");
    ArrayNode tags = document.putArray("tags");
    resources.forEach(resource -> tags.addObject().put("name", tag(resource)));
    document.set("paths", openApi.paths);
    ObjectNode components = document.putObject("components");
    components.set("schemas", openApi.library.get("schemas"));
    components.set("responses", openApi.library.get("responses"));
    components.set("parameters", openApi.library.get("parameters"));
    components
        .putObject("securitySchemes")
        .putObject("onos")
        .put("type", "http")
        .put("scheme", "basic");
    return document;
  }

  private void add(Class<?> resource) {
    Stream.of(resource.getMethods())
        .filter(method -> verb(method).isPresent())
        .sorted(Comparator.comparing(OpenApi::address))
        .forEach(this::add);
  }

  private void add(Method method) {
    Operation operation = method.getAnnotation(Operation.class);
    if (operation == null) {
      throw new AssertionError(method + " has no " + Operation.class);
    }
    String verb = verb(method).orElseThrow(AssertionError::new);
    ObjectNode json =
        at("/" + address(method))
            .putObject(verb.toLowerCase(Locale.ROOT))
            .put("operationId", method.getName())
            .put("summary", operation.does())
            .put("description", "Needs the role " + role(operation) + ".");
    if (!ids.add(method.getName())) {
      throw new AssertionError(
          "Two operations are called (" + method.getName() + "). Maybe rename one's method.");
    }
    json.putArray("tags").add(tag(method.getDeclaringClass()));
    boolean writes = !verb.equals("GET");
    parameters(method, writes, json);
    if (!operation.takes().isEmpty()) {
      ObjectNode body = json.putObject("requestBody").put("required", !operation.mayBeBodiless());
      ObjectNode content = body.putObject("content");
      for (String type : method.getAnnotation(Consumes.class).value()) {
        schema(content.putObject(type), operation.takes());
      }
    }
    responses(method, operation, writes, json.putObject("responses"));
  }

  /** By which generated clients group operations. */
  private static String tag(Class<?> resource) {
    return resource.getSimpleName().replaceFirst("Resource$", "");
  }

  private ObjectNode at(String address) {
    return paths.has(address) ? (ObjectNode) paths.get(address) : paths.putObject(address);
  }

  private void parameters(Method method, boolean writes, ObjectNode json) {
    ArrayNode parameters = json.putArray("parameters");
    for (Parameter parameter : method.getParameters()) {
      name(parameter).ifPresent(name -> reference(parameters.addObject(), "parameters", name));
    }
    if (method.getAnnotation(Operation.class).mayTakeLong()) {
      reference(parameters.addObject(), "parameters", Asynchronous.PREFER);
    }
    if (writes) {
      reference(parameters.addObject(), "parameters", IdempotencyFilter.KEY);
      reference(parameters.addObject(), "parameters", Caller.TICKET);
    }
  }

  private static void responses(
      Method method, Operation operation, boolean writes, ObjectNode responses) {
    ObjectNode success =
        responses
            .putObject(Integer.toString(operation.success()))
            .put("description", operation.does());
    if (!operation.answer().isEmpty()) {
      String type = media(method);
      schema(success.putObject("content").putObject(type), operation.answer());
    }
    if (operation.mayCreate()) {
      ObjectNode created = success.deepCopy().put("description", "It was not there, and is now");
      created
          .putObject("headers")
          .putObject("Location")
          .put("description", "Where it is")
          .putObject("schema")
          .put("type", "string");
      responses.set("201", created);
    }
    if (!operation.warns().isEmpty()) {
      ObjectNode warning =
          responses
              .putObject("200")
              .put("description", "It is done; this is what it means for others");
      schema(warning.putObject("content").putObject(media(method)), operation.warns());
    }
    if (operation.mayTakeLong()) {
      reference(responses.putObject("202"), "responses", "202");
    }
    refusals(operation, writes)
        .forEach(
            status ->
                reference(responses.putObject(status.toString()), "responses", status.toString()));
  }

  /** The statuses of all refusals that the operation may give. */
  static Set<Integer> refusals(Operation operation, boolean writes) {
    Set<Integer> statuses = new TreeSet<>();
    for (int[] some : new int[][] {ALL, operation.refuses(), writes ? WRITE : new int[0]}) {
      for (int status : some) {
        statuses.add(status);
      }
    }
    return statuses;
  }

  public static Optional<String> verb(Method method) {
    return Stream.of(method.getAnnotations())
        .map(annotation -> annotation.annotationType().getAnnotation(HttpMethod.class))
        .filter(Objects::nonNull)
        .map(HttpMethod::value)
        .findFirst();
  }

  /** As the document writes it: without the patterns of path parameters. */
  public static String address(Method method) {
    Path own = method.getAnnotation(Path.class);
    String all =
        method.getDeclaringClass().getAnnotation(Path.class).value()
            + (own == null ? "" : "/" + own.value());
    return all.replaceAll("\\{(\\w+)[^}]*}", "{$1}");
  }

  private static String media(Method method) {
    Produces own = method.getAnnotation(Produces.class);
    return (own == null ? method.getDeclaringClass().getAnnotation(Produces.class) : own)
        .value()[0];
  }

  private Optional<String> name(Parameter parameter) {
    for (Annotation annotation : parameter.getAnnotations()) {
      if (annotation instanceof PathParam) {
        return Optional.of(((PathParam) annotation).value());
      }
      if (annotation instanceof QueryParam) {
        String name = ((QueryParam) annotation).value();
        // Where a path parameter has the name already.
        return Optional.of(
            library.path("parameters").has("query-" + name) ? "query-" + name : name);
      }
    }
    return Optional.empty();
  }

  private static String role(Operation operation) {
    switch (operation.needs()) {
      case BRANCH:
        return "operator, or operator:CLASS/INTENT for the branches that it changes";
      default:
        return operation.needs().word();
    }
  }

  private static void schema(ObjectNode media, String name) {
    reference(media.putObject("schema"), "schemas", name);
  }

  private static void reference(ObjectNode json, String kind, String name) {
    json.put("$ref", "#/components/" + kind + "/" + name);
  }
}
