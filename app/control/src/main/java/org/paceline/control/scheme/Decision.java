package org.paceline.control.scheme;

import com.google.auto.value.AutoValue;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.paceline.allocator.reservation.Loan;
import org.paceline.control.directive.Directive;
import org.paceline.control.directive.Directives;
import org.paceline.control.directive.MeterGroup;
import org.paceline.control.directive.Queue;
import org.paceline.control.model.ConversationId;
import org.paceline.control.model.Unserved;
import org.paceline.intents.network.LinkId;
import org.paceline.intents.network.Network;
import org.paceline.intents.problem.Application;
import org.paceline.intents.problem.Grant;
import org.paceline.intents.tree.SchemeName;

/**
 * What a scheme wants of the network, what conversations get by it, and why others get nothing. A
 * value; only what the scheme remembers may be used up.
 */
@AutoValue
public abstract class Decision {
  /** How far a decision is from the best that the scheme could do. */
  public enum Quality {
    /** More time would not be worth it. */
    GOOD,
    /** A scheme with more time may well find something clearly better. */
    IMPROVABLE,
    /** Time ran out before it was known how much there is for everybody. */
    UNDECIDED
  }

  /** What is to be carried out. Nothing else of a decision changes the network. */
  public abstract Directives directives();

  /** By application id what the directives give those who are served, and what it is worth. */
  public abstract Map<String, Grant> grants();

  /** The same of those who are not, but are held to a small rate. */
  public abstract Map<String, Grant> restrained();

  /** Why somebody gets no grant, by application id; names nodes by their ids. */
  public abstract Map<String, Unserved> unserved();

  /** In billionths of utility per millibit a second: what more of a link would be worth to all. */
  public abstract Map<LinkId, Double> prices();

  /** What some have of what is reserved for others. */
  public abstract List<Loan> loans();

  /** What each is to its scheme. */
  public abstract Standings standings();

  public abstract List<String> remarks();

  /** For a person: how this was decided. */
  public abstract String method();

  /** The certified gap: how much better any other decision can be at most, relative. */
  public abstract double gap();

  /** How long it took. */
  public abstract Duration elapsed();

  public abstract Quality quality();

  /** Whether this is a first step only, which a full decision is to follow. */
  public abstract boolean isStep();

  /** Who was decided about. */
  public abstract List<Application> applications();

  /** The network that it was decided for. */
  public abstract Network network();

  public abstract Scheme.Memory memory();

  abstract Builder toBuilder();

  private static Map<ConversationId, Grant> byConversation(Map<String, Grant> grants) {
    Map<ConversationId, Grant> byConversation = new TreeMap<>();
    grants.forEach((id, grant) -> byConversation.put(ConversationId.parse(id), grant));
    return byConversation;
  }

  public static Builder builder() {
    return new AutoValue_Decision.Builder().loans(List.of()).standings(Standings.NONE);
  }

  /**
   * Of a scheme that decides at once, and finds nothing better with more time.
   *
   * @param begin by {@link System#nanoTime}
   */
  public static Builder settled(String method, Snapshot snapshot, long begin) {
    return builder()
        .prices(Map.of())
        .remarks(List.of())
        .method(method)
        .gap(0)
        .elapsed(Duration.ofNanos(System.nanoTime() - begin))
        .quality(Quality.GOOD)
        .isStep(false)
        .applications(snapshot.applications())
        .network(snapshot.routes().network())
        .memory(Scheme.Memory.NOTHING);
  }

  @AutoValue.Builder
  public abstract static class Builder {
    abstract Builder directives(Directives directives);

    abstract Builder grants(Map<String, Grant> grants);

    abstract Builder restrained(Map<String, Grant> restrained);

    /**
     * Wants its rate and its path for each of these.
     *
     * @param owner the scheme that decides
     * @param granted by application id, who is served
     * @param small who is not, and is held to a small rate
     */
    public Builder directing(
        SchemeName owner, Map<String, Grant> granted, Map<String, Grant> small) {
      return wanting(
          granted,
          small,
          Directives.of(owner, Directive.Reason.GRANTED, byConversation(granted))
              .with(Directives.of(owner, Directive.Reason.NOT_ADMITTED, byConversation(small))));
    }

    /**
     * The same for those who are served, where some may share meters.
     *
     * @param owner the scheme that decides
     * @param granted by application id, who is served
     * @param groups of those who may, by application id
     */
    public Builder sharing(
        SchemeName owner, Map<String, Grant> granted, Map<String, MeterGroup> groups) {
      Map<ConversationId, MeterGroup> byConversation = new TreeMap<>();
      groups.forEach((id, group) -> byConversation.put(ConversationId.parse(id), group));
      return wanting(
          granted,
          Map.of(),
          Directives.of(owner, Directive.Reason.GRANTED, byConversation(granted))
              .sharing(byConversation));
    }

    /**
     * Wants elephants to be let go on their paths, and the queues that keep others from them.
     *
     * @param owner the scheme that decides
     * @param elephants by application id
     * @param paced those of them who are held to their grants, for circuits of others
     * @param held who cannot be kept apart, and is held to a rate
     * @param queues of ports, at most one a link
     */
    public Builder isolating(
        SchemeName owner,
        Map<String, Grant> elephants,
        Set<String> paced,
        Map<String, Grant> held,
        Collection<Queue> queues) {
      return wanting(
          elephants,
          held,
          Directives.ofElephants(owner, Directive.Reason.GRANTED, byConversation(elephants))
              .holding(paced.stream().map(ConversationId::parse).collect(Collectors.toSet()))
              .with(Directives.of(owner, Directive.Reason.NOT_ADMITTED, byConversation(held)))
              .with(Directives.of(queues)));
    }

    private Builder wanting(
        Map<String, Grant> granted, Map<String, Grant> small, Directives directives) {
      return grants(Collections.unmodifiableMap(granted))
          .restrained(Collections.unmodifiableMap(small))
          .directives(directives);
    }

    public abstract Builder unserved(Map<String, Unserved> unserved);

    public abstract Builder prices(Map<LinkId, Double> prices);

    public abstract Builder loans(List<Loan> loans);

    public abstract Builder standings(Standings standings);

    public abstract Builder remarks(List<String> remarks);

    public abstract Builder method(String method);

    public abstract Builder gap(double gap);

    public abstract Builder elapsed(Duration elapsed);

    public abstract Builder quality(Quality quality);

    public abstract Builder isStep(boolean isStep);

    public abstract Builder applications(List<Application> applications);

    public abstract Builder network(Network network);

    public abstract Builder memory(Scheme.Memory memory);

    public abstract Decision build();
  }
}
