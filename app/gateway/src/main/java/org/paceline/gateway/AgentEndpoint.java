package org.paceline.gateway;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.paceline.control.settings.SettingTable;
import org.paceline.control.settings.SettingValues;

/**
 * Where host agents call in, and who is let in there. Without certificates anybody may say to be
 * any host: only this machine is served then, unless somebody says in so many words that all are.
 */
public final class AgentEndpoint {
  private final InetSocketAddress address;
  private final Optional<Path> tls;

  private AgentEndpoint(InetSocketAddress address, Optional<Path> tls) {
    this.address = address;
    this.tls = tls;
  }

  /**
   * @param wanted where to listen
   * @param tls the directory of the certificates; empty: unencrypted
   * @param fromAnywhere whether agents without certificates may call from other machines
   */
  public static AgentEndpoint of(
      InetSocketAddress wanted, Optional<Path> tls, boolean fromAnywhere) {
    boolean open = tls.isPresent() || fromAnywhere || isLoopback(wanted);
    return new AgentEndpoint(
        open ? wanted : new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted.getPort()),
        tls);
  }

  /** As the settings say. */
  public static AgentEndpoint of(SettingValues values) {
    return of(
        new InetSocketAddress(
            values.text(SettingTable.BIND_ADDRESS), values.number(SettingTable.PORT)),
        values.optional(SettingTable.TLS_DIRECTORY).map(Path::of),
        values.text(SettingTable.WITHOUT_CERTIFICATES).equals(SettingTable.FROM_ANYWHERE));
  }

  private static boolean isLoopback(InetSocketAddress wanted) {
    return !wanted.isUnresolved() && wanted.getAddress().isLoopbackAddress();
  }

  InetSocketAddress address() {
    return address;
  }

  Optional<Path> tls() {
    return tls;
  }

  /** For a person: where it is, and who may come in. */
  public String text() {
    String host =
        address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress();
    return host + ":" + address.getPort() + ", " + who();
  }

  private String who() {
    if (tls.isPresent()) {
      return "with certificates of both sides";
    }
    return isLoopback(address)
        ? "unencrypted, from this machine only"
        : "UNENCRYPTED, FROM ANYBODY WHO SAYS TO BE ANY HOST";
  }

  /** What to do where this is not what was meant; empty where all is well. */
  Optional<String> advice() {
    if (tls.isPresent()) {
      return Optional.empty();
    }
    String certificates =
        "Maybe make certificates (tools/certificates) and name their directory as tlsDirectory";
    return Optional.of(
        isLoopback(address)
            ? certificates + ", for agents on other machines."
            : certificates + ": whoever reaches the port can take any host's place.");
  }
}
