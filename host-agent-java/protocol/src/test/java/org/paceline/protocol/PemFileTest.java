package org.paceline.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files as openssl makes them. */
@SuppressWarnings("NullAway.Init")
class PemFileTest {
  private static final String CURVE = "ec -pkeyopt ec_paramgen_curve:P-256";

  private Path key;
  private Path certificate;
  private Path other;

  @BeforeEach
  void nameFiles(@TempDir Path directory) {
    key = directory.resolve("key");
    certificate = directory.resolve("certificate");
    other = directory.resolve("other");
  }

  private void make(String kind) throws Exception {
    String words = "req -x509 -nodes -subj /CN=h1 -text -newkey " + kind;
    openssl(words, "-keyout", key.toString(), "-out", certificate.toString());
  }

  private static void openssl(String words, String... files) throws Exception {
    List<String> all = new ArrayList<>(List.of("openssl"));
    all.addAll(List.of(words.split(" ")));
    all.addAll(List.of(files));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  private static PemFile read(Path file) throws Exception {
    return new PemFile(Files.readAllBytes(file));
  }

  private void assertBelongTogether(String algorithm) throws Exception {
    PrivateKey own = read(key).key().orElseThrow();
    X509Certificate[] certificates = read(certificate).certificates();
    assertThat(certificates).hasSize(1);
    Signature signature = Signature.getInstance(algorithm);
    signature.initSign(own);
    byte[] signed = signature.sign();
    signature.initVerify(certificates[0]);
    assertThat(signature.verify(signed)).isTrue();
  }

  @Test
  void keysOfCurvesAndOfRsaAreThoseOfTheirCertificates() throws Exception {
    make(CURVE);
    assertBelongTogether("SHA256withECDSA");
    make("rsa:2048");
    assertBelongTogether("SHA256withRSA");
  }

  @Test
  void aFileMayHoldAChainAndTheKey() throws Exception {
    make(CURVE);
    byte[] chain = Files.readAllBytes(certificate);
    make("rsa:2048");
    String all =
        new String(chain, StandardCharsets.US_ASCII)
            + Files.readString(key)
            + Files.readString(certificate);
    PemFile whole = new PemFile(all.getBytes(StandardCharsets.US_ASCII));
    X509Certificate first = new PemFile(chain).certificates()[0];
    assertThat(whole.certificates()).containsExactly(first, read(certificate).certificates()[0]);
    assertThat(whole.key()).isEqualTo(read(key).key());
  }

  @Test
  void otherFormsAreLeftToOthers() throws Exception {
    make(CURVE);
    openssl("ec", "-in", key.toString(), "-out", other.toString());
    assertThat(Files.readString(other)).contains("BEGIN EC PRIVATE KEY");
    assertThat(read(other).key()).isEmpty();
    openssl("pkcs8 -topk8 -passout pass:word", "-in", key.toString(), "-out", other.toString());
    assertThat(Files.readString(other)).contains("BEGIN ENCRYPTED PRIVATE KEY");
    assertThat(read(other).key()).isEmpty();
  }

  @Test
  void whatIsNoneIsNone() throws Exception {
    PemFile none = new PemFile("none".getBytes(StandardCharsets.US_ASCII));
    assertThat(none.key()).isEmpty();
    assertThatThrownBy(none::certificates).isInstanceOf(CertificateException.class);
    String broken = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    PemFile read = new PemFile(broken.getBytes(StandardCharsets.US_ASCII));
    assertThatThrownBy(read::certificates).isInstanceOf(CertificateException.class);
  }
}
