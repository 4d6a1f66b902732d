package org.paceline.gateway.tls;

import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Optional;
import org.paceline.control.port.Journal;
import org.paceline.control.port.WorkerThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets in only agents whose certificate the house's own authority has signed and not revoked. What
 * changes in the directory counts from the next second on, without a restart.
 *
 * <p>Each change gets a context of its own, and not one with keys that can be exchanged: a context
 * remembers sessions, and whoever resumes one is not asked for its certificate again.
 */
public final class AgentTls implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AgentTls.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final WorkerThread looking;
  private volatile HouseCertificates inForce;
  // Of the looking thread's own.
  private TlsFiles used;
  private TlsFiles seen;

  private AgentTls(TlsFiles files, WorkerThread looking) throws IOException {
    this.looking = looking;
    this.inForce = HouseCertificates.of(files);
    this.used = files;
    this.seen = files;
  }

  /**
   * Begins to look for changes.
   *
   * @param directory with the authority's certificate and the controller's own, and its key
   * @throws IOException that names the file which is missing, open to others or no such thing
   */
  public static AgentTls open(Path directory, Journal journal) throws IOException {
    AgentTls tls =
        new AgentTls(TlsFiles.read(directory), new WorkerThread("paceline-certificates", journal));
    tls.lookFromNowOn();
    return tls;
  }

  private void lookFromNowOn() {
    looking.after(
        LOOK,
        () -> {
          lookFromNowOn();
          look();
        });
  }

  /** Of files that are being exchanged the half is no pair: they count once they stand still. */
  private void look() {
    TlsFiles now = TlsFiles.read(used.directory());
    boolean standStill = now.isSameAs(seen);
    seen = now;
    if (!standStill || now.isSameAs(used)) {
      return;
    }
    // What cannot be used is complained of once.
    used = now;
    try {
      inForce = HouseCertificates.of(now);
    } catch (IOException e) {
      log.warn("The certificates for host agents stay what they were. {}", e.getMessage());
      return;
    }
    log.info(
        "The certificates for host agents in ({}) have changed and are used from now on; the"
            + " controller's ends on {}",
        now.directory(),
        inForce.expiry().day());
  }

  /** For the server: each connection is met with what is in force when it comes. */
  public InternalProtocolNegotiator.ProtocolNegotiator negotiator() {
    return new LoggedTls(() -> inForce.context());
  }

  /** When the controller's certificate ends. */
  public CertificateExpiry expiry() {
    return inForce.expiry();
  }

  /** Why the authority no longer stands by a caller's certificate; empty where it does. */
  public Optional<String> revocation(CertifiedNames caller) {
    HouseCertificates now = inForce;
    return caller
        .certificate()
        .flatMap(now::revocation)
        .map(
            entry ->
                "The certificate of ("
                    + String.join(", ", caller.hosts())
                    + ") with the serial number ("
                    + entry.getSerialNumber().toString(16)
                    + ") was revoked on "
                    + entry.getRevocationDate().toInstant().atZone(ZoneOffset.UTC).toLocalDate()
                    + ". Maybe have another one made for this host.");
  }

  @Override
  public void close() {
    looking.close();
  }
}
