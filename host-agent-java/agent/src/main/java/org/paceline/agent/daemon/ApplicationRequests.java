package org.paceline.agent.daemon;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.paceline.agent.application.Allowances;
import org.paceline.agent.application.Applicant;
import org.paceline.agent.application.Claims;
import org.paceline.agent.application.Request;
import org.paceline.agent.application.RequestHandler;
import org.paceline.agent.conversation.Conversation;
import org.paceline.agent.conversation.Conversations;
import org.paceline.agent.flow.Flow;
import org.paceline.agent.runtime.EventLoop;
import org.paceline.agent.status.AgentStatus;
import org.paceline.agent.tracking.ConversationTracker;
import org.paceline.agent.tracking.SocketNames;
import org.paceline.agent.tracking.SocketTable;

/** Takes what applications say to the thread that owns what it is about. */
final class ApplicationRequests implements RequestHandler {
  private final EventLoop loop;
  private final Allowances allowances;
  private final SocketTable socketTable;
  private final ConversationTracker tracker;
  private final Claims claims;
  private final SocketNames names;
  private final Conversations conversations;
  private final Function<Conversation, AgentStatus.Row> view;

  ApplicationRequests(
      EventLoop loop,
      Allowances allowances,
      SocketTable socketTable,
      ConversationTracker tracker,
      SocketNames names,
      Conversations conversations,
      Function<Conversation, AgentStatus.Row> view) {
    this.loop = loop;
    this.allowances = allowances;
    this.socketTable = socketTable;
    this.tracker = tracker;
    this.claims = names.claims();
    this.names = names;
    this.conversations = conversations;
    this.view = view;
  }

  @Override
  public CompletionStage<JsonObject> take(Applicant by, Request request) {
    return CompletableFuture.supplyAsync(() -> answer(by, request), loop);
  }

  @Override
  public void left(Applicant by) {
    loop.soon(
        () -> {
          claims.forget(by);
          tracker.scan();
        });
  }

  private JsonObject answer(Applicant by, Request request) {
    JsonObject answer = new JsonObject();
    answer.addProperty("ok", true);
    if (request instanceof Request.Claim claim) {
      claim(by, claim);
    } else if (request instanceof Request.Kpis kpis) {
      claims.report(by, kpis.values(), System.nanoTime());
    } else {
      answer.add("conversations", grants(by));
    }
    return answer;
  }

  private void claim(Applicant by, Request.Claim claim) {
    allowances.requireIntent(by, claim.intent());
    ProcessHandle process = claim.process().map(ApplicationRequests::process).orElse(by.process());
    Allowances.requireProcess(by, process);
    try {
      if (claim.socket().isPresent()) {
        socketTable.read();
        claims.socket(by, claim.intent(), socket(by, claim.socket().get()));
      } else {
        claims.process(by, claim.intent(), process);
      }
      tracker.scan();
    } catch (IOException e) {
      throw new UncheckedIOException("The sockets could not be read: " + e.getMessage(), e);
    }
  }

  private static ProcessHandle process(int pid) {
    return ProcessHandle.of(pid)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no process (" + pid + "). Maybe it has ended."));
  }

  private long socket(Applicant by, Flow flow) {
    Set<Long> own = socketTable.socketsOf(by.process().pid());
    return socketTable.inodesOf(flow).stream()
        .filter(inode -> own.contains(inode) || by.isRoot())
        // Of several that share an address, root too means its own.
        .min(Comparator.comparing(inode -> !own.contains(inode)))
        // Whether others have such a socket is not for everybody to know.
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "The process ("
                        + by.process().pid()
                        + ") has no socket ("
                        + flow
                        + "). Maybe it is not connected or bound yet, or its ends are the other way"
                        + " round."));
  }

  private JsonArray grants(Applicant by) {
    JsonArray grants = new JsonArray();
    for (Conversation conversation : conversations.all()) {
      if (names.isClaimedBy(by, conversation)) {
        AgentStatus.Row row = view.apply(conversation);
        JsonObject one = new JsonObject();
        one.addProperty("id", row.id());
        one.addProperty("intent", row.intent());
        one.addProperty("local", row.ends().local());
        one.addProperty("remote", row.ends().remote());
        one.addProperty("granted_bits_per_second", row.rates().granted());
        one.addProperty("installed_bits_per_second", row.rates().installed());
        one.addProperty("measured_bits_per_second", row.rates().measured());
        grants.add(one);
      }
    }
    return grants;
  }
}
