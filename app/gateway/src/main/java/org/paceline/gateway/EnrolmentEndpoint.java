package org.paceline.gateway;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.security.PublicKey;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.paceline.control.enrolment.EnrolmentToken;
import org.paceline.control.enrolment.EnrolmentTokens;
import org.paceline.control.inventory.BoundedJournal;
import org.paceline.gateway.tls.AgentTls;
import org.paceline.gateway.tls.CertifiedNames;
import org.paceline.gateway.tls.Peer;
import org.paceline.protocol.EnrolRequest;
import org.paceline.protocol.EnrolmentGrpc;
import org.paceline.protocol.HostCertificate;
import org.paceline.protocol.RenewRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signs for hosts: for a new one by its token, for one that has a certificate by that. */
final class EnrolmentEndpoint extends EnrolmentGrpc.EnrolmentImplBase {
  private static final Logger log = LoggerFactory.getLogger(EnrolmentEndpoint.class);

  /** Whoever reaches the port may ask, and each question costs signatures. */
  private static final int MOST_AT_ONCE = 4;

  private static final int LONGEST_REQUEST = 8_192;

  private final AgentTls tls;
  private final EnrolmentTokens tokens;
  private final Supplier<Optional<CertifiedNames>> caller;
  private final Supplier<Peer> peer;
  private final BoundedJournal journal;
  private final Clock clock;
  private final Semaphore room = new Semaphore(MOST_AT_ONCE);

  /**
   * @param caller what the present call's certificate names
   * @param peer where the present call comes from
   */
  EnrolmentEndpoint(
      AgentTls tls,
      EnrolmentTokens tokens,
      Supplier<Optional<CertifiedNames>> caller,
      Supplier<Peer> peer,
      BoundedJournal journal,
      Clock clock) {
    this.tls = tls;
    this.tokens = tokens;
    this.caller = caller;
    this.peer = peer;
    this.journal = journal;
    this.clock = clock;
  }

  /** Why a request is not granted. */
  private static final class Declined extends Exception {
    private static final long serialVersionUID = 1;
    private final transient Status status;

    Declined(Status status, String why) {
      super(why);
      this.status = status;
    }
  }

  private interface Signing {
    HostCertificate sign() throws Declined, IOException;
  }

  @Override
  public void enrol(EnrolRequest request, StreamObserver<HostCertificate> out) {
    answer(
        out,
        () -> {
          byte[] secret = request.getSecret().toByteArray();
          if (!tokens.isWorth(secret)) {
            throw unknown();
          }
          PublicKey key = requested(request.getSigningRequest());
          EnrolmentToken token = tokens.redeem(secret).orElseThrow(EnrolmentEndpoint::unknown);
          log.info("The host ({}) enrols by the token ({})", token.host(), token.id());
          return certificate(key, token.host(), token.addresses());
        });
  }

  private static Declined unknown() {
    return new Declined(
        Status.PERMISSION_DENIED,
        "The token is none of this controller's, is over, was withdrawn or was used. Maybe ask an"
            + " admin for another one.");
  }

  @Override
  public void renew(RenewRequest request, StreamObserver<HostCertificate> out) {
    answer(
        out,
        () -> {
          CertifiedNames names =
              caller
                  .get()
                  .filter(CertifiedNames::isShown)
                  .orElseThrow(
                      () ->
                          new Declined(
                              Status.UNAUTHENTICATED, "Only who has a certificate renews it."));
          mustStand(names);
          if (names.hosts().size() != 1) {
            throw new Declined(
                Status.FAILED_PRECONDITION,
                "The certificate names ("
                    + names.hosts().size()
                    + ") hosts, and only one of a single host is renewed. Maybe make it with"
                    + " tools/certificates.");
          }
          PublicKey key = requested(request.getSigningRequest());
          synchronized (tls) {
            // What was revoked meanwhile would be replaced.
            mustStand(names);
            return certificate(key, names.hosts().iterator().next(), names.addresses());
          }
        });
  }

  private void mustStand(CertifiedNames names) throws Declined {
    Optional<String> revoked = tls.revocation(names);
    if (revoked.isPresent()) {
      throw new Declined(Status.PERMISSION_DENIED, revoked.get());
    }
  }

  private static PublicKey requested(ByteString signingRequest) throws Declined {
    if (signingRequest.size() > LONGEST_REQUEST) {
      throw new Declined(
          Status.INVALID_ARGUMENT,
          "The signing request has ("
              + signingRequest.size()
              + ") bytes, and at most ("
              + LONGEST_REQUEST
              + ") are allowed.");
    }
    try {
      return AgentTls.requested(signingRequest.toByteArray());
    } catch (IllegalArgumentException e) {
      throw new Declined(Status.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
    }
  }

  private HostCertificate certificate(PublicKey key, String host, Set<String> addresses)
      throws IOException {
    return HostCertificate.newBuilder()
        .setHostId(host)
        .setCertificate(tls.sign(key, host, addresses, clock.instant()))
        .setAuthority(tls.authorities())
        .build();
  }

  private void answer(StreamObserver<HostCertificate> out, Signing signing) {
    if (!room.tryAcquire()) {
      out.onError(
          Status.RESOURCE_EXHAUSTED
              .withDescription("Many hosts enrol at this moment. Maybe try again.")
              .asRuntimeException());
      return;
    }
    try {
      if (!tls.signs()) {
        throw new Declined(
            Status.FAILED_PRECONDITION,
            "This controller signs no certificates: the tlsDirectory has no ca.key.");
      }
      out.onNext(signing.sign());
      out.onCompleted();
    } catch (Declined e) {
      journal.warn(
          peer.get().host(),
          "A request for a certificate from " + peer.get() + " is declined: " + e.getMessage());
      out.onError(e.status.withDescription(e.getMessage()).asRuntimeException());
    } catch (IOException | RuntimeException | Error e) {
      journal.fault(peer.get().host(), "A certificate could not be made", e);
      out.onError(
          Status.INTERNAL
              .withDescription("The certificate could not be made. ONOS's log says why.")
              .asRuntimeException());
    } finally {
      room.release();
    }
  }
}
