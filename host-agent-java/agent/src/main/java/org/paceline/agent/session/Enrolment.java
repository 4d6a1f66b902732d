package org.paceline.agent.session;

import com.google.protobuf.ByteString;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.paceline.agent.runtime.CannotRun;
import org.paceline.protocol.EnrolRequest;
import org.paceline.protocol.EnrolmentGrpc;
import org.paceline.protocol.EnrolmentTokenText;
import org.paceline.protocol.HostCertificate;

/** This host's first certificate: for a token, and a key that is made here. */
public final class Enrolment {
  private static final int PATIENCE_SECONDS = 30;

  private Enrolment() {}

  /**
   * Has the controller sign a new key of this host's and writes what came of it.
   *
   * @param directory made where it is not there; nobody else can read the key in it
   * @return the hostId that the certificate names
   * @throws CannotRun where the controller is not reached, is not the token's, or declines
   */
  public static String enrol(String host, int port, EnrolmentTokenText token, Path directory)
      throws IOException {
    Files.createDirectories(directory);
    SigningRequest request = SigningRequest.ofNewKey();
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(host, port)
            .overrideAuthority(ControllerStream.CONTROLLER)
            .sslContext(
                GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                    .trustManager(new PinnedAuthority(token.fingerprint()))
                    .build())
            .build();
    try {
      HostCertificate signed =
          EnrolmentGrpc.newBlockingStub(channel)
              .withDeadlineAfter(PATIENCE_SECONDS, TimeUnit.SECONDS)
              .enrol(
                  EnrolRequest.newBuilder()
                      .setSecret(ByteString.copyFrom(token.secret()))
                      .setSigningRequest(ByteString.copyFrom(request.request()))
                      .build());
      HostCertificateFiles.write(
          HostCertificateFiles.in(directory),
          signed.getAuthority(),
          signed.getCertificate(),
          request.key());
      return signed.getHostId();
    } catch (StatusRuntimeException e) {
      throw new CannotRun("This host is not enrolled. " + why(host + ":" + port, e.getStatus()));
    } finally {
      channel.shutdownNow();
    }
  }

  private static String why(String controller, Status status) {
    Throwable cause = status.getCause();
    while (cause != null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String detail = cause == null ? String.valueOf(status.getDescription()) : cause.getMessage();
    return switch (status.getCode()) {
      case UNAVAILABLE, DEADLINE_EXCEEDED ->
          "No controller that made the token answers at " + controller + ": " + detail;
      case UNIMPLEMENTED ->
          "The controller at " + controller + " is of a version that enrols no hosts.";
      default -> "The controller declines, " + status.getCode() + ": " + detail;
    };
  }
}
