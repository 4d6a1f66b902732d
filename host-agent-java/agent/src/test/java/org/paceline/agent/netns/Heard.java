package org.paceline.agent.netns;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.paceline.protocol.AgentMessage;
import org.paceline.protocol.ConversationOpened;
import org.paceline.protocol.ConversationReport;
import org.paceline.protocol.HeldConversations;
import org.paceline.protocol.Hello;
import org.paceline.protocol.PortQueues;
import org.paceline.protocol.RatesInstalled;
import org.paceline.protocol.Report;
import org.paceline.protocol.Resumption;

/** What an agent has told a controller, for a test to ask or to wait for. */
class Heard {
  private final List<AgentMessage> messages = new ArrayList<>();
  private final HeldConversations open = new HeldConversations();
  private final Map<String, ConversationOpened> incoming = new ConcurrentHashMap<>();

  /** Of a Hello only that it came. */
  synchronized void hear(AgentMessage message) {
    messages.add(message);
    switch (message.getMessageCase()) {
      case RESUMPTION -> {
        Resumption rest = message.getResumption();
        int buckets = latestHello().orElseThrow().getDigestsCount();
        open.replace(rest.getBucketsList(), buckets, rest.getConversationsList());
      }
      case OPENED -> open.open(message.getOpened());
      case INCOMING -> incoming.put(message.getIncoming().getId(), message.getIncoming());
      case CLOSED -> {
        open.close(message.getClosed().getIdsList());
        message.getClosed().getIdsList().forEach(incoming::remove);
      }
      case INSTALLED ->
          message
              .getInstalled()
              .getRatesList()
              .forEach(r -> open.rate(r.getConversationId(), r.getRateBitsPerSecond()));
      case REPORT ->
          message
              .getReport()
              .getConversationsList()
              .forEach(c -> open.rate(c.getConversationId(), c.getInstalledRateBitsPerSecond()));
      default -> {}
    }
    notifyAll();
  }

  /** That its conversations are these; the buckets of which more has to be told. */
  synchronized List<Integer> believe(Hello hello) {
    incoming.clear();
    hello.getIncomingList().forEach(c -> incoming.put(c.getId(), c));
    if (hello.getDigestsCount() > 0) {
      return open.differing(hello.getDigestsList());
    }
    open.replace(hello.getConversationsList());
    return List.of();
  }

  synchronized List<ConversationOpened> open(String intent) {
    return open.all().stream().filter(c -> c.getIntent().equals(intent)).toList();
  }

  /** The one open conversation of this intent, as soon as there is one. */
  ConversationOpened awaitOpen(String intent) throws InterruptedException {
    return await("a conversation of " + intent, () -> open(intent).stream().findFirst());
  }

  /** The one open conversation of this intent that is not this one. */
  ConversationOpened awaitOpenAgain(String intent, String notThis) throws InterruptedException {
    return await(
        "another conversation of " + intent,
        () -> open(intent).stream().filter(c -> !c.getId().equals(notThis)).findFirst());
  }

  /** What the agent's host receives under this intent, by any but this id. */
  ConversationOpened awaitIncoming(String intent, String notThis) throws InterruptedException {
    return await(
        "incoming " + intent,
        () ->
            incoming.values().stream()
                .filter(c -> c.getIntent().equals(intent) && !c.getId().equals(notThis))
                .findFirst());
  }

  void awaitClosed(String id) throws InterruptedException {
    await(
        "the end of " + id,
        () ->
            open.all().stream().anyMatch(c -> c.getId().equals(id))
                ? Optional.empty()
                : Optional.of(id));
  }

  /** The acknowledgement of a plan. */
  synchronized Optional<RatesInstalled> installed(long version) {
    return messages.stream()
        .filter(AgentMessage::hasInstalled)
        .map(AgentMessage::getInstalled)
        .filter(installed -> installed.getPlanVersion() == version)
        .findFirst();
  }

  /** The answer to what was told of ports. */
  synchronized Optional<PortQueues> ports(long number) {
    return messages.stream()
        .filter(AgentMessage::hasPorts)
        .map(AgentMessage::getPorts)
        .filter(ports -> ports.getNumber() == number)
        .findFirst();
  }

  /** What the agent tells of ports by itself. */
  synchronized Optional<PortQueues> latestPorts() {
    return messages.stream()
        .filter(AgentMessage::hasPorts)
        .map(AgentMessage::getPorts)
        .filter(ports -> ports.getNumber() == 0)
        .reduce((a, b) -> b);
  }

  synchronized Optional<ConversationReport> latestReport(String id) {
    Optional<ConversationReport> latest = Optional.empty();
    for (AgentMessage message : messages) {
      for (ConversationReport one : message.getReport().getConversationsList()) {
        if (one.getConversationId().equals(id)) {
          latest = Optional.of(one);
        }
      }
    }
    return latest;
  }

  synchronized Optional<Hello> latestHello() {
    return messages.stream()
        .filter(AgentMessage::hasHello)
        .map(AgentMessage::getHello)
        .reduce((a, b) -> b);
  }

  synchronized Optional<Report> latestReport() {
    return messages.stream()
        .filter(AgentMessage::hasReport)
        .map(AgentMessage::getReport)
        .reduce((a, b) -> b);
  }

  interface Question<T> {
    Optional<T> ask();
  }

  synchronized <T> T await(String what, Question<T> question) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      Optional<T> answer = question.ask();
      if (answer.isPresent()) {
        return answer.get();
      }
      long left = end - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("waited in vain for " + what + "; open: " + open.all());
      }
      TimeUnit.NANOSECONDS.timedWait(this, Math.min(left, 200_000_000L));
    }
  }
}
