package org.paceline.gateway.tls;

import io.grpc.netty.shaded.io.grpc.netty.InternalProtocolNegotiator;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.paceline.control.audit.Refused;
import org.paceline.control.enrolment.EnrolmentAuthority;
import org.paceline.control.enrolment.IssuedCertificate;
import org.paceline.control.inventory.BoundedJournal;
import org.paceline.control.port.Journal;
import org.paceline.control.work.WorkerThread;
import org.paceline.protocol.EnrolmentTokenText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets in only agents whose certificate the house's own authority has signed and not revoked. What
 * changes in the directory counts from the next second on, without a restart.
 *
 * <p>Each change gets a context of its own, and not one with keys that can be exchanged: a context
 * remembers sessions, and whoever resumes one is not asked for its certificate again.
 */
public final class AgentTls implements EnrolmentAuthority, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AgentTls.class);
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final WorkerThread looking;
  private final Path directory;
  private volatile HouseCertificates inForce;

  /** The last day of what each host was given last. */
  private volatile Map<String, Instant> lastEnds = Map.of();

  private volatile Runnable onRevocation = () -> {};
  // Of the looking thread's own.
  private TlsFiles used;
  private TlsFiles seen;
  private Optional<FileTime> issuedSeen = Optional.empty();

  private AgentTls(TlsFiles files, HouseCertificates inForce, WorkerThread looking) {
    this.looking = looking;
    this.directory = files.directory();
    this.inForce = inForce;
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
    TlsFiles files = TlsFiles.read(directory);
    WorkerThread looking = new WorkerThread("paceline-certificates", journal);
    try {
      AgentTls tls = new AgentTls(files, on(looking, () -> HouseCertificates.of(files)), looking);
      looking.every(() -> LOOK, tls::look);
      return tls;
    } catch (IOException | RuntimeException e) {
      looking.close();
      throw e;
    }
  }

  /**
   * On the looking thread, as all that Bouncy Castle does here is on threads of ours: it leaves
   * parameters with the thread that uses it first. One of ONOS's outlives the bundle, and would
   * hold its class loader for good.
   */
  private static <T> T on(WorkerThread looking, Callable<T> work) throws IOException {
    try {
      return looking.ask(work).get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      throw new IllegalStateException("The certificates cannot be used: " + e.getCause(), e);
    } catch (RejectedExecutionException closed) {
      throw new IOException("The controller ends at this moment.", closed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The certificates were not read to the end.", e);
    }
  }

  /** Of files that are being exchanged the half is no pair: they count once they stand still. */
  private void look() {
    lookAtIssued();
    TlsFiles now = TlsFiles.read(directory);
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

  /** Of a list that cannot be read what was read before stands: only an alarm goes by it. */
  private void lookAtIssued() {
    Map<String, Instant> ends = new HashMap<>();
    try {
      Optional<FileTime> changed = IssuedCertificates.in(directory).changed();
      if (changed.equals(issuedSeen)) {
        return;
      }
      issuedSeen = changed;
      for (IssuedCertificate one : IssuedCertificates.in(directory).all()) {
        if (one.revoked().isEmpty()) {
          ends.merge(one.host(), one.end(), (a, b) -> a.isAfter(b) ? a : b);
        }
      }
    } catch (IOException e) {
      return;
    }
    lastEnds = Map.copyOf(ends);
  }

  /**
   * For the server: each connection is met with what is in force when it comes.
   *
   * @param journal hears of who is not let in
   */
  public InternalProtocolNegotiator.ProtocolNegotiator negotiator(BoundedJournal journal) {
    return new LoggedTls(() -> inForce.context(), journal);
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

  /** When the newest of the host's certificates ends, of those that are noted here. */
  public Optional<Instant> lastEnd(String host) {
    return Optional.ofNullable(lastEnds.get(host));
  }

  /** Has this done when more is revoked, and counts already: attached agents are looked at. */
  public void onRevocation(Runnable then) {
    onRevocation = then;
  }

  @Override
  public List<IssuedCertificate> issued() {
    try {
      return IssuedCertificates.in(directory).all();
    } catch (IOException e) {
      throw new Refused("The list of certificates cannot be read: " + e.getMessage() + ".");
    }
  }

  @Override
  public synchronized void revoke(String host) {
    try {
      on(
          looking,
          () -> {
            revoke(host, Instant.now());
            return host;
          });
    } catch (IOException e) {
      throw new Refused(
          "Nothing is revoked: "
              + e.getMessage()
              + ". Maybe let ONOS's user write to ("
              + directory
              + ").");
    }
    onRevocation.run();
  }

  /** The authority's word first: whatever fails then, what it has revoked is revoked. */
  private void revoke(String host, Instant now) throws IOException {
    IssuedCertificates issued = IssuedCertificates.in(directory);
    RevocationList list = RevocationList.of(TlsFiles.read(directory), signer());
    for (IssuedCertificate one : issued.all()) {
      if (one.revoked().isEmpty() && one.host().equals(host)) {
        list.add(one.serial(), now);
      } else {
        one.revoked().ifPresent(at -> list.add(one.serial(), at));
      }
    }
    list.write(now);
    issued.noteRevoked(host, now);
    TlsFiles files = TlsFiles.read(directory);
    inForce = HouseCertificates.of(files);
    used = files;
    seen = files;
    lookAtIssued();
  }

  @Override
  public boolean signs() {
    return inForce.signer().isPresent();
  }

  @Override
  public String token(byte[] secret) {
    try {
      byte[] authority = signer().authority().getEncoded();
      return EnrolmentTokenText.of(secret, MessageDigest.getInstance("SHA-256").digest(authority))
          .toString();
    } catch (CertificateEncodingException | NoSuchAlgorithmException e) {
      throw new IllegalStateException("The authority's certificate cannot be told.", e);
    }
  }

  private HostSigner signer() {
    return inForce
        .signer()
        .orElseThrow(() -> new IllegalStateException("The authority's key is not here."));
  }

  /**
   * A certificate for a host's key, as PEM; noted beside the others that are out, so that it can be
   * revoked with them.
   *
   * @throws IOException if it cannot be signed, or not be noted
   */
  public synchronized String sign(PublicKey key, String host, Set<String> addresses, Instant now)
      throws IOException {
    X509Certificate made = signer().sign(key, host, addresses, now);
    IssuedCertificates.in(directory).note(made);
    return HostSigner.pem(made);
  }

  /** Those that agents are to believe, as PEM. */
  public String authorities() {
    return inForce.authorities();
  }

  /**
   * The key that a signing request shows its bearer to have.
   *
   * @throws IllegalArgumentException if it shows none, or a weak one
   */
  public static PublicKey requested(byte[] signingRequest) {
    return HostSigner.requested(signingRequest);
  }

  @Override
  public void close() {
    looking.close();
  }
}
