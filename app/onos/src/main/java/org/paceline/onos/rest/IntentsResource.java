package org.paceline.onos.rest;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.paceline.control.policy.IntentPolicies;
import org.paceline.intents.tree.IntentPath;
import org.paceline.intents.tree.IntentTree;
import org.paceline.json.Catalogue;
import org.paceline.json.IntentTreeReader;
import org.paceline.json.IntentTreeWriter;

/** The intent tree: read it, put another in its place, take a branch away. */
@Path("v1/intents")
@Produces(MediaType.APPLICATION_JSON)
public final class IntentsResource {
  @GET
  public String tree() throws IOException {
    return text(Json.useCases().policies().tree());
  }

  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public String replace(InputStream body) throws IOException {
    IntentTree tree = IntentTreeReader.read(body, Catalogue.load()).orElseThrow();
    Json.useCases().policies().replace(tree);
    return text(tree);
  }

  @DELETE
  @Path("{path: .+}")
  public Response remove(@PathParam("path") String path) {
    IntentPolicies policies = Json.useCases().policies();
    IntentPath node = IntentPath.parse(path);
    if (!policies.tree().contains(node)) {
      throw new Problems.Missing(
          "There is no intent ("
              + node
              + "). Maybe you meant "
              + String.join(" or ", policies.nearest(path))
              + ".");
    }
    policies.remove(node);
    return Response.noContent().build();
  }

  private static String text(IntentTree tree) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    IntentTreeWriter.write(tree, bytes);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
