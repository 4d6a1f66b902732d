package org.paceline.agent.status;

import java.util.Locale;
import java.util.stream.Collectors;
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
              "link %s of %s: rho %.3f, price %.3f, X %s%s%n",
              link.name(),
              kbit(link.capacityBitsPerSecond()),
              link.utilisation(),
              link.price(),
              kbit(link.shareBitsPerSecond()),
              link.strangers() == 0
                  ? ""
                  : "; " + link.strangers() + " peers say another capacity, make them the same"));
    }
    for (PeerView.Peer peer : view.peers()) {
      text.append("peer ")
          .append(peer.address())
          .append(" sends ")
          .append(
              peer.sentBitsPerSecond().stream()
                  .map(PeersText::kbit)
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

  private static String kbit(long bitsPerSecond) {
    return String.format(Locale.ROOT, "%.1f kbit/s", bitsPerSecond / 1e3);
  }
}
