package org.paceline.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a directory has to hold, and whose word counts there. */
@SuppressWarnings("NullAway.Init")
class HouseCertificatesTest {
  private Path house;

  @BeforeEach
  void make(@TempDir Path directory) throws Exception {
    house = directory.resolve("house");
    certificates(house, "h1", "h2");
  }

  private static void certificates(Path directory, String... more) throws Exception {
    List<String> words = new ArrayList<>(List.of("../../tools/certificates", directory.toString()));
    words.addAll(List.of(more));
    Process script = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(script.waitFor()).as(said).isZero();
  }

  private HouseCertificates read() throws IOException {
    return HouseCertificates.of(TlsFiles.read(house));
  }

  private X509Certificate certificate(String name) throws Exception {
    try (InputStream file = Files.newInputStream(house.resolve(name))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(file);
    }
  }

  @Test
  void aKeyThatEverybodyCanReadIsRefused() throws Exception {
    Files.setPosixFilePermissions(
        house.resolve("controller.key"), PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(this::read)
        .hasMessageContaining("controller.key")
        .hasMessageContaining("Maybe");
    Files.delete(house.resolve("controller.key"));
    assertThatThrownBy(this::read).hasMessageContaining("no readable file (controller.key)");
  }

  @Test
  void nobodyIsRevokedWhereThereIsNoList() throws Exception {
    assertThat(read().revocation(certificate("h1.pem"))).isEmpty();
  }

  /** Those that a host had before, too: each has its own key, and any of these may be elsewhere. */
  @Test
  void allCertificatesOfTheHostAreRevokedAndNoOthers() throws Exception {
    X509Certificate first = certificate("h1.pem");
    certificates(house, "h1");
    X509Certificate second = certificate("h1.pem");
    certificates(house, "--revoke", "h1");
    certificates(house, "h1");
    HouseCertificates now = read();
    assertThat(now.revocation(first)).isPresent();
    assertThat(now.revocation(second)).isPresent();
    assertThat(now.revocation(certificate("h1.pem"))).isEmpty();
    assertThat(now.revocation(certificate("h2.pem"))).isEmpty();
    // Another one's revocation takes none back.
    certificates(house, "--revoke", "h2");
    assertThat(read().revocation(first)).isPresent();
    assertThat(read().revocation(certificate("h2.pem"))).isPresent();
  }

  @Test
  void whatAStrangersAuthorityRevokesDoesNotCount(@TempDir Path strangers) throws Exception {
    certificates(strangers, "h1");
    certificates(strangers, "--revoke", "h1");
    Files.copy(strangers.resolve("crl.pem"), house.resolve("crl.pem"));
    assertThatThrownBy(this::read)
        .hasMessageContaining("crl.pem")
        .hasMessageContaining("is not signed by an authority");
    Files.writeString(house.resolve("crl.pem"), "none");
    assertThatThrownBy(this::read).hasMessageContaining("cannot be used");
  }
}
