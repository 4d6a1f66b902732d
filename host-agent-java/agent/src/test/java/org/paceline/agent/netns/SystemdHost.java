package org.paceline.agent.netns;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A real systemd in a container whose files are this machine's, whose changes to them are its own
 * and in memory, and whose network is a namespace's; the agent is in it as its package puts it
 * there.
 */
final class SystemdHost implements AutoCloseable {
  static final String SERVICE = "paceline-agent";

  /** Installs the package as it was built, over what is there: again and again, it upgrades. */
  static final String INSTALL =
      "dpkg --install --force-depends --force-confold"
          + " /opt/paceline/paceline-agent_$(dpkg --print-architecture).deb";

  /** Makes a newer version of it, which is no part of an upgrade. */
  static final String MAKE_NEWER =
      "dpkg-deb --raw-extract /opt/paceline/paceline-agent_$(dpkg --print-architecture).deb"
          + " /run/newer && sed -i 's/^Version: .*/&+newer/' /run/newer/DEBIAN/control"
          + " && dpkg-deb --build --root-owner-group /run/newer /run/newer.deb"
          + " && rm -r /run/newer";

  /** Installs that version, as an operator does. */
  static final String INSTALL_NEWER =
      "apt-get install --yes -o Dpkg::Options::=--force-confold"
          + " -o APT::Sandbox::User=root /run/newer.deb && rm /run/newer.deb";

  private static final Path PACKAGE = Path.of("src/deb/files");
  private static final int TRIES = 600;
  // What is mounted is so for itself and its children only. A control group of its own, for what
  // systemd makes of groups to be found again.
  private static final String SCRIPT =
      """
      set -e
      mount --make-rprivate /
      mkdir -p "$1"
      mount -t tmpfs tmpfs "$1"
      mkdir "$1/upper" "$1/work" "$1/root"
      mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"
      cp -r "$2/." "$1/root/"
      rm -rf "$1/root/run" "$1/root/etc/machine-id" "$1/root/usr/sbin/policy-rc.d"
      mkdir -p "$1/root/run" "$1/root/outside"
      touch "$1/root/etc/machine-id"
      mount -t tmpfs tmpfs "$1/root/run"
      mount -t tmpfs tmpfs "$1/root/dev"
      for device in null zero full random urandom tty; do
        touch "$1/root/dev/$device"
        mount --bind "/dev/$device" "$1/root/dev/$device"
      done
      ln -s pts/ptmx "$1/root/dev/ptmx"
      for groups in /sys/fs/cgroup /sys/fs/cgroup/unified; do
        if [ -e "$groups/cgroup.procs" ] && [ -e "$groups/cgroup.controllers" ]; then
          mkdir "$groups/$4"
          echo $$ > "$groups/$4/cgroup.procs"
        fi
      done
      cd "$1/root"
      exec nsenter "--net=/run/netns/$3" unshare --pid --fork --kill-child --cgroup --uts --ipc --mount sh -ec '
        mount -t proc proc proc
        mount -t sysfs sysfs sys
        mount -t cgroup2 cgroup2 sys/fs/cgroup
        mount -t bpf bpf sys/fs/bpf
        pivot_root . outside
        exec env container=paceline chroot . sh -ec "
          umount --lazy /outside
          exec /lib/systemd/systemd --system --unit=basic.target --show-status=false"'
      """;

  private final String name = "pacelinetest" + ProcessHandle.current().pid();
  private final Process supervisor;

  /**
   * @param network the namespace's name
   * @param directory for what is put in, and for what systemd says
   */
  SystemdHost(String network, Path directory, String config, String rules)
      throws IOException, InterruptedException {
    assumeTrue(
        Files.exists(Path.of("/lib/systemd/systemd")), "Skipped: there is no systemd to start.");
    Path files = directory.resolve("files");
    putIn(files, config, rules);
    supervisor =
        new ProcessBuilder(
                "unshare",
                "--mount",
                "sh",
                "-c",
                SCRIPT,
                "sh",
                directory.resolve("systemd").toString(),
                files.toString(),
                network,
                name)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("systemd.log").toFile())
            .start();
    try {
      for (int i = 0; i < TRIES && supervisor.isAlive() && !isUp(); i++) {
        Thread.sleep(100);
      }
    } catch (InterruptedException | RuntimeException | Error ended) {
      close();
      throw ended;
    }
    if (!supervisor.isAlive()) {
      close();
      assumeTrue(false, "Skipped: " + Files.readString(directory.resolve("systemd.log")).strip());
    }
  }

  private static void putIn(Path files, String config, String rules)
      throws IOException, InterruptedException {
    Sh.run("cp", Sh.JAR.toString(), made(files, "usr/share/paceline"));
    Sh.run("cp", "-rT", "target/native/com/sun/jna", made(files, "usr/lib/paceline"));
    Sh.run("cp", PACKAGE.resolve("paceline-agent").toString(), made(files, "usr/bin"));
    Sh.run("chmod", "755", files.resolve("usr/bin/paceline-agent").toString());
    Sh.run(
        "cp",
        PACKAGE.resolve("paceline-agent.service").toString(),
        made(files, "etc/systemd/system"));
    Sh.run("sh", "-c", "cp target/paceline-agent_*.deb " + made(files, "opt/paceline"));
    Path settings = Path.of(made(files, "etc/paceline"));
    Files.writeString(settings.resolve("agent.yaml"), config);
    Files.writeString(settings.resolve("rules.yaml"), rules);
  }

  private static String made(Path files, String directory) throws IOException {
    return Files.createDirectories(files.resolve(directory)).toString();
  }

  /** What makes its files may be asked in its place before: there, another systemd would answer. */
  private boolean isUp() throws InterruptedException {
    try {
      String inside = "grep -qz '^container=paceline$' /proc/1/environ";
      return run("if " + inside + "; then systemctl is-active basic.target || true; fi")
          .strip()
          .equals("active");
    } catch (IOException e) {
      return false;
    }
  }

  /** What a shell in it says. */
  String run(String script) throws IOException, InterruptedException {
    long systemd =
        supervisor.children().findFirst().orElseThrow(() -> new IOException("none yet")).pid();
    return Sh.run(
        "nsenter",
        "--all",
        "--root",
        "--wd",
        "--target",
        Long.toString(systemd),
        "sh",
        "-c",
        script + " 2>&1");
  }

  /** The service; fails with what it says where it does not come up. */
  void start() throws IOException, InterruptedException {
    run("systemctl start " + SERVICE);
    for (int i = 0; i < TRIES && !run("journalctl -u " + SERVICE).contains("attached to"); i++) {
      Thread.sleep(100);
      if (!run("systemctl is-active " + SERVICE + " || true").strip().equals("active")) {
        throw new IOException(
            run("systemctl status " + SERVICE + "; journalctl -u " + SERVICE + " || true"));
      }
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    supervisor.children().forEach(ProcessHandle::destroyForcibly);
    if (!supervisor.waitFor(60, TimeUnit.SECONDS)) {
      supervisor.destroyForcibly().waitFor();
    }
    Sh.run(
        "sh",
        "-c",
        "find /sys/fs/cgroup -depth -type d -path '*/" + name + "*' -exec rmdir {} + || true");
  }
}
