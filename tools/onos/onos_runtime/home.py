"""Lays a fresh ONOS_HOME: Karaf's settings, the ports, and a cluster of one node."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
from collections.abc import Collection, Mapping
from pathlib import Path

from .assembly import KARAF
from .settings import LOOPBACK, Settings

# Karaf's own start script opens these; they are what it and ONOS reach into by reflection.
_OPENED = (
    "java.base/java.io",
    "java.base/java.lang",
    "java.base/java.lang.invoke",
    "java.base/java.lang.reflect",
    "java.base/java.math",
    "java.base/java.net",
    "java.base/java.nio",
    "java.base/java.security",
    "java.base/java.text",
    "java.base/java.time",
    "java.base/java.util",
    "java.base/java.util.concurrent",
    "java.base/java.util.concurrent.atomic",
    "java.base/java.util.regex",
    "java.base/jdk.internal.misc",
    "java.base/sun.nio.ch",
    "java.desktop/java.awt.font",
    "java.naming/javax.naming.spi",
    "java.rmi/sun.rmi.transport.tcp",
)
_EXPORTED = (
    "java.base/sun.net.www.content.text",
    "java.base/sun.net.www.protocol.file",
    "java.base/sun.net.www.protocol.ftp",
    "java.base/sun.net.www.protocol.http",
    "java.base/sun.net.www.protocol.https",
    "java.base/sun.net.www.protocol.jar",
    "java.security.sasl/com.sun.security.sasl",
    "jdk.naming.rmi/com.sun.jndi.url.rmi",
    "jdk.xml.dom/org.w3c.dom.html",
)


def clear(settings: Settings, keep: Collection[Path] = ()) -> None:
    """Removes the run directory, or all of it but these and what is below them."""

    def remove(folder: Path) -> None:
        if not any(kept.is_relative_to(folder) for kept in keep):
            shutil.rmtree(folder)
            return
        for entry in folder.iterdir():
            if entry in keep:
                continue
            remove(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()

    if settings.run_directory.exists():
        remove(settings.run_directory)


def lay(settings: Settings) -> None:
    """Everything that ONOS writes goes below the run directory; the assembly is only read. Users that are there stay."""
    base = settings.karaf_base
    kept = {file: file.read_bytes() for file in settings.login_files if file.exists()}
    shutil.copytree(KARAF / "etc", base / "etc", dirs_exist_ok=True)
    for file, content in kept.items():
        file.write_bytes(content)
    for folder in (base / "data/log", base / "data/tmp", base / "system", settings.run_directory / "apps", settings.run_directory / "config"):
        folder.mkdir(parents=True, exist_ok=True)
    if settings.network_cfg:
        (settings.run_directory / "config" / "network-cfg.json").write_text(settings.network_cfg)
    etc = base / "etc"
    # Watches a deploy folder, which we have not.
    (etc / "org.apache.felix.fileinstall-deploy.cfg").unlink()
    _write(etc / "org.ops4j.pax.web.cfg", {
        "org.osgi.service.http.port": settings.rest_port,
        "org.osgi.service.http.enabled": "true",
        "org.osgi.service.http.secure.enabled": "false",
        "org.ops4j.pax.web.listening.addresses": LOOPBACK,
        "org.ops4j.pax.web.config.file": "${karaf.etc}/jetty.xml",
        "org.ops4j.pax.web.session.timeout": 1440,
        "org.ops4j.pax.web.session.url": "none",
        "javax.servlet.context.tempdir": "${karaf.data}/pax-web-jsp",
    })
    _write(etc / "org.apache.karaf.shell.cfg", {
        "sshHost": LOOPBACK,
        "sshPort": settings.ssh_port,
        "sshIdleTimeout": 1800000,
        "sshRealm": "karaf",
        "sshRole": "ssh",
        "sftpEnabled": "false",
        "hostKey": "${karaf.etc}/host.key",
        "completionMode": "GLOBAL",
    })
    # Both, and the same: what is only in etc/ ONOS sets back to its default, and what is only in
    # its own configuration comes when the default port is bound already.
    openflow = {"openflowPorts": str(settings.openflow_port)}
    components = {"org.onosproject.openflow.controller.impl.OpenFlowControllerImpl": openflow}
    if settings.keep_rules:
        keep = dict.fromkeys(("allowExtraneousRules", "importExtraneousRules"), "true")
        components["org.onosproject.net.flow.impl.FlowRuleManager"] = keep
    for component, values in components.items():
        _write(etc / f"{component}.cfg", values)
    _write_json(settings.run_directory / "config" / "component-cfg.json", components)
    with open(etc / "custom.properties", "a", encoding="utf-8") as custom:
        # We stop it by signal; a shutdown port would be one more door.
        custom.write("\nkaraf.shutdown.port = -1\n")
    cluster = {
        "name": "paceline",
        "node": {"id": LOOPBACK, "ip": LOOPBACK, "port": settings.cluster_port},
        "storage": [],
        "clusterSecret": secrets.token_hex(16),
    }
    _write_json(settings.run_directory / "config" / "cluster.json", cluster)


def _write(file: Path, values: Mapping[str, object]) -> None:
    file.write_text("".join(f"{key} = {value}\n" for key, value in values.items()))


def _write_json(file: Path, value: object) -> None:
    file.write_text(json.dumps(value, indent=2) + "\n")


# Linux hears of Java's priorities, and gives a thread of the least one a processor when others have no use for it: those
# are what answers questions. All others have 0, which is what they have without these in an ONOS of nice 0.
PRIORITIES = (
    "-XX:ThreadPriorityPolicy=1", "-XX:JavaPriority1_To_OSPriority=15",
    *(f"-XX:JavaPriority{one}_To_OSPriority=0" for one in (2, 3, 4, 6, 7, 8, 9, 10)),
)  # fmt: skip


def command(settings: Settings, java: Path) -> list[str]:
    """The Java call of Karaf's start script, without the script: our child is ONOS itself."""
    base = settings.karaf_base
    endorsed = KARAF / "lib" / "endorsed"
    locator = next(endorsed.glob("org.apache.karaf.specs.locator-*.jar"))
    xml = next(endorsed.glob("org.apache.karaf.specs.java.xml-*.jar"))
    boot = [jar for folder in ("boot", "jdk9plus") for jar in sorted((KARAF / "lib" / folder).glob("*.jar"))]
    return [
        str(java),
        "-Xms256m",
        f"-Xmx{settings.heap}",
        "-XX:+UseG1GC",
        "-XX:+ExitOnOutOfMemoryError",
        *PRIORITIES,
        *shlex.split(os.environ.get("EXTRA_JAVA_OPTS", "")),  # as Karaf's script has it
        "--add-reads=java.xml=java.logging",
        "--add-exports=java.base/org.apache.karaf.specs.locator=java.xml,ALL-UNNAMED",
        f"--patch-module=java.base={locator}",
        f"--patch-module=java.xml={xml}",
        *(f"--add-opens={package}=ALL-UNNAMED" for package in _OPENED),
        *(f"--add-exports={package}=ALL-UNNAMED" for package in _EXPORTED),
        # Some jars in the registry carry a corrupt extra field that newer JDK 17 refuses.
        "-Djdk.util.zip.disableZip64ExtraFieldValidation=true",
        "-Dio.netty.tryReflectionSetAccessible=true",
        "-Djava.awt.headless=true",
        "-Dds.lock.timeout.milliseconds=10000",
        f"-Djava.io.tmpdir={base / 'data' / 'tmp'}",
        f"-Djava.util.logging.config.file={base / 'etc' / 'java.util.logging.properties'}",
        f"-Dkaraf.home={KARAF}",
        f"-Dkaraf.base={base}",
        f"-Dkaraf.data={base / 'data'}",
        f"-Dkaraf.etc={base / 'etc'}",
        f"-Dkaraf.log={base / 'data' / 'log'}",
        f"-Dkaraf.instances={base / 'instances'}",
        "-Dkaraf.startLocalConsole=false",
        "-Dkaraf.startRemoteShell=true",
        "-Dkaraf.restart.jvm.supported=false",
        "-classpath",
        ":".join(map(str, boot)),
        "org.apache.karaf.main.Main",
    ]
