package org.paceline.agent.netns;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/** An agent that listens to applications, and what speaks to it. */
abstract class WithApplications extends InNamespaces {
  static final String NOBODY = "65534";

  /** Where the agent listens. */
  Path socket() {
    return directory.resolve("applications.sock");
  }

  AgentProcess listeningAgent() throws Exception {
    // For others than root to reach the socket.
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    AgentProcess agent =
        agentWith(
            "applications: {socket: applications.sock, allow: [{user: nobody, intents: [video]}]}\n");
    awaitAttached();
    return agent;
  }

  /** One line each, all over one connection of this user. */
  List<String> rawAs(String uid, String... lines) throws Exception {
    List<String> words =
        new ArrayList<>(
            List.of(
                Sh.inside(
                    hosts.sender,
                    "setpriv",
                    "--reuid",
                    uid,
                    "--regid",
                    uid,
                    "--clear-groups",
                    "perl",
                    "-MIO::Socket::UNIX",
                    "-e",
                    "my $agent = IO::Socket::UNIX->new(shift) or die $!; $agent->autoflush;"
                        + " for (@ARGV) { print $agent \"$_\\n\"; print scalar <$agent>; }")));
    words.add(socket().toString());
    words.addAll(List.of(lines));
    return Sh.run(words.toArray(String[]::new)).lines().toList();
  }
}
