package org.paceline.gateway.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.paceline.control.model.Alarm;

/**
 * When the controller's certificate ends. From then on no agent attaches any more, and those that
 * are lost give up their rates, so somebody must hear of it before.
 */
public final class CertificateExpiry {
  private static final Duration NOTICE = Duration.ofDays(30);
  private static final Duration AGENT_NOTICE = Duration.ofDays(20);
  private static final String SETTING = "tlsDirectory";

  private final Path directory;
  private final Instant end;

  private CertificateExpiry(Path directory, Instant end) {
    this.directory = directory;
    this.end = end;
  }

  /**
   * @param content of the controller's certificate in the directory
   * @throws IOException if it is none
   */
  static CertificateExpiry of(Path directory, byte[] content) throws IOException {
    try {
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(content));
      return new CertificateExpiry(directory, certificate.getNotAfter().toInstant());
    } catch (CertificateException e) {
      throw new IOException(
          "The file " + TlsFiles.CERTIFICATE + " in (" + directory + ") holds no certificate.", e);
    }
  }

  /** The last day, for a person. */
  public LocalDate day() {
    return end.atZone(ZoneOffset.UTC).toLocalDate();
  }

  /**
   * That an agent's certificate ends soon: 20 days before it does, when one that renews itself has
   * had ten days for it.
   */
  public static Optional<Alarm> ofAgent(String host, Instant end, Instant now) {
    Instant first = end.minus(AGENT_NOTICE);
    return now.isBefore(first)
        ? Optional.empty()
        : Optional.of(
            Alarm.ofCertificate(
                host,
                "The certificate of the agent of ("
                    + host
                    + ") "
                    + (now.isBefore(end) ? "ends on " : "ended on ")
                    + end.atZone(ZoneOffset.UTC).toLocalDate()
                    + ": when its connection breaks after that it is not let in any more. Maybe"
                    + " see on the host what the agent says of (tls), or enrol it again.",
                first));
  }

  /** One from 30 days before the end on. */
  public List<Alarm> alarms(Instant now) {
    Instant first = end.minus(NOTICE);
    if (now.isBefore(first)) {
      return List.of();
    }
    String sentence =
        "The controller's certificate in ("
            + directory
            + ") "
            + (now.isBefore(end)
                ? "ends on " + day() + ": then no agent attaches any more."
                : "ended on " + day() + ": no agent attaches any more.")
            + " Maybe renew it (tools/certificates DIRECTORY): it is used within seconds.";
    return List.of(Alarm.ofSetting(SETTING, sentence, first));
  }
}
