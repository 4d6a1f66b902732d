package org.paceline.agent.pace;

import java.net.Inet4Address;
import java.net.InetAddress;
import org.paceline.agent.naming.RuleSet;
import org.paceline.agent.sense.Flow;
import org.paceline.agent.sense.Transport;

/** By what the kernel sorts packets into classes; port 0 stands for any. */
public record ClassKey(
    Transport transport, InetAddress local, int localPort, InetAddress remote, int remotePort) {

  public static ClassKey of(Flow flow, RuleSet.Coverage coverage) {
    return new ClassKey(
        flow.transport(),
        flow.local(),
        coverage == RuleSet.Coverage.REMOTE_PORT ? 0 : flow.localPort(),
        flow.remote(),
        coverage == RuleSet.Coverage.LOCAL_PORT ? 0 : flow.remotePort());
  }

  boolean ipv4() {
    return local instanceof Inet4Address;
  }

  String map() {
    String kind = remotePort == 0 ? "local" : localPort == 0 ? "remote" : "exact";
    return kind + (ipv4() ? "4" : "6");
  }

  String element() {
    StringBuilder text = new StringBuilder(transport.text()).append(" . ").append(literal(local));
    if (localPort != 0) {
      text.append(" . ").append(localPort);
    }
    text.append(" . ").append(literal(remote));
    if (remotePort != 0) {
      text.append(" . ").append(remotePort);
    }
    return text.toString();
  }

  /** Without the scope that Java appends to link-local addresses. */
  static String literal(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
