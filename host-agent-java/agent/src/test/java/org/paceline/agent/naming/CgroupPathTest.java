package org.paceline.agent.naming;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CgroupPathTest {
  private static final String ID = "3f2a1b9c".repeat(8);

  @ParameterizedTest
  @CsvSource({
    "/docker/ID, ID",
    "/system.slice/docker-ID.scope, ID",
    "/system.slice/docker-ID.scope/init, ID",
    "/machine.slice/libpod-ID.scope, ID",
    "/machine.slice/libpod-ID.scope/container, ID",
    "/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-ID.scope, ID",
    "/libpod_parent/libpod-ID, ID",
    "/kubepods/burstable/pod8c3b/ID, ID",
    "/kubepods.slice/kubepods-pod8c3b.slice/cri-containerd-ID.scope, ID",
    "/kubepods.slice/kubepods-besteffort.slice/kubepods-pod8c3b.slice/crio-ID.scope, ID",
    "/system.slice/nerdctl-ID.scope, ID",
    "/lxc/web, web",
    "/lxc/web/system.slice/nginx.service, web",
    "/lxc.payload.web/system.slice/nginx.service, web",
    "/lxc.payload/web, web",
    "/machine.slice/machine-web\\x2d1.scope, web-1",
    // The innermost one.
    "/lxc.payload.outer/docker/ID, ID"
  })
  void theContainerIsToldByItsPath(String path, String container) {
    assertThat(new CgroupPath(path.replace("ID", ID)).container())
        .contains(container.replace("ID", ID));
  }

  @ParameterizedTest
  @CsvSource({
    "/",
    "''",
    "/system.slice/ssh.service",
    "/machine.slice/libpod-conmon-ID.scope",
    "/lxc.monitor.web",
    "/system.slice/docker.service",
    "/lxc"
  })
  void whoIsInNoneHasNone(String path) {
    assertThat(new CgroupPath(path.replace("ID", ID)).container()).isEmpty();
  }

  @Test
  void everyUnitOnTheWayIsKnownAndTheInnermostIsWhatRuns() {
    CgroupPath path =
        new CgroupPath("/user.slice/user-1000.slice/user@1000.service/app.slice/firefox.service/x");

    assertThat(path.units())
        .containsExactly(
            "user.slice", "user-1000.slice", "user@1000.service", "app.slice", "firefox.service");
    assertThat(path.unit()).contains("firefox.service");
    assertThat(new CgroupPath("/user.slice").unit()).isEmpty();
    assertThat(new CgroupPath("/system.slice/_cpu.service").unit()).contains("cpu.service");
  }

  @Property(seed = "20")
  void anyPathIsReadWithoutHarm(@ForAll String path) {
    CgroupPath read = new CgroupPath(path);
    assertThatCode(read::container).doesNotThrowAnyException();
    assertThatCode(read::unit).doesNotThrowAnyException();
  }
}
