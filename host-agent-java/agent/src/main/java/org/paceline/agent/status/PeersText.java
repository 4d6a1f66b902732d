package org.paceline.agent.status;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.paceline.agent.smallnetwork.PeerView;

/** How things stand between peers, for a person. */
final class PeersText {
  private PeersText() {}

  static String of(PeerView view) {
    StringBuilder text = new StringBuilder();
    text.append("peers: ")
        .append(view.peers().size())
        .append(view.rules() ? " share with this host" : " heard; the controller decides")
        .append(view.trouble().isEmpty() ? "" : "; nobody can be told: " + view.trouble())
        .append("; announcements ")
        .append(view.taken())
        .append(ignored(view))
        .append('\n');
    for (PeerView.Link link : view.links()) {
      text.append(
          String.format(
              Locale.ROOT,
              "%s: rho %.3f, price %.3f, X %s%s%s%s%n",
              link.association().isPresent()
                  ? "the air " + link.name()
                  : "link " + link.name() + " of " + kbit(link.capacityBitsPerSecond()),
              link.utilisation(),
              link.price(),
              amount(link, link.shareBitsPerSecond()),
              link.association().map(PeersText::association).orElse(""),
              link.estimated().map(PeersText::estimated).orElse(""),
              link.strangers() == 0
                  ? ""
                  : "; " + link.strangers() + " peers say another capacity, make them the same"));
    }
    for (PeerView.Peer peer : view.peers()) {
      text.append("peer ")
          .append(peer.address())
          .append(" sends ")
          .append(
              IntStream.range(0, view.links().size())
                  .mapToObj(l -> amount(view.links().get(l), peer.sentBitsPerSecond().get(l)))
                  .collect(Collectors.joining(", ")))
          .append('\n');
    }
    for (PeerView.Share share : view.shares()) {
      text.append(
          String.format(
              Locale.ROOT,
              "weight %s of %s: %d conversations may send %s and send %s%s%n",
              weight(share.weight()),
              share.intent(),
              share.conversations(),
              kbit(share.rate()),
              kbit(share.sent()),
              share.hungry() ? ", and would send more" : ""));
    }
    return text.toString();
  }

  private static String ignored(PeerView view) {
    return view.ignored().isEmpty()
        ? ""
        : view.ignored().entrySet().stream()
            .map(one -> one.getValue() + " " + one.getKey())
            .collect(Collectors.joining(", ", "; ignored: ", ""));
  }

  private static String weight(double weight) {
    return String.format(Locale.ROOT, "%.3f", weight).replaceAll("\\.?0+$", "");
  }

  /** Of the air a part of it. */
  private static String amount(PeerView.Link link, long bitsPerSecond) {
    return link.association().isPresent()
        ? String.format(
            Locale.ROOT, "%.1f %%", 100.0 * bitsPerSecond / link.capacityBitsPerSecond())
        : kbit(bitsPerSecond);
  }

  private static String association(long bitsPerSecond) {
    return bitsPerSecond == 0
        ? "; this host is behind the access point"
        : String.format(Locale.ROOT, "; this host sends at %.1f Mbit/s", bitsPerSecond / 1e6);
  }

  private static String estimated(PeerView.Estimated how) {
    return "; estimated, of at most "
        + kbit(how.ceilingBitsPerSecond())
        + how.waiting()
            .map(time -> ", pings wait " + time.toMillis() + " ms there")
            .orElse(", and stays: pings are not answered");
  }

  private static String kbit(long bitsPerSecond) {
    return String.format(Locale.ROOT, "%.1f kbit/s", bitsPerSecond / 1e3);
  }
}
