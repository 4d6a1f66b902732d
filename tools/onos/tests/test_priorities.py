"""Linux hears of Java's priorities: what answers questions has a processor when plans do not need it."""

from __future__ import annotations

import os
import subprocess

import pytest
from onos_runtime.home import PRIORITIES

# Prints the nice value of a thread of each priority, which is the 17th figure behind the name in what the kernel says of it.
PROGRAM = """
import java.nio.file.Files;
import java.nio.file.Path;

public class Nice {
  public static void main(String[] words) throws Exception {
    for (int priority = Thread.MIN_PRIORITY; priority <= Thread.MAX_PRIORITY; priority++) {
      Thread thread = new Thread(Nice::tell);
      thread.setPriority(priority);
      thread.start();
      thread.join();
    }
  }

  private static void tell() {
    try {
      String said = new String(Files.readAllBytes(Path.of("/proc/thread-self/stat")));
      System.out.println(said.substring(said.lastIndexOf(')') + 2).split(" ")[16]);
    } catch (java.io.IOException unreadable) {
      throw new java.io.UncheckedIOException(unreadable);
    }
  }
}
"""


@pytest.mark.parametrize("options", [PRIORITIES, ()], ids=["as-onos-is-started", "by-itself"])
def test_only_a_thread_of_the_least_priority_goes_after_others(tmp_path, options):
    program = tmp_path / "Nice.java"
    program.write_text(PROGRAM)
    said = subprocess.run(["java", *options, str(program)], capture_output=True, text=True, check=True).stdout.split()
    mine = str(os.getpriority(os.PRIO_PROCESS, 0))
    # Who is not root cannot go before what it was started with.
    others = "0" if os.geteuid() == 0 else str(max(0, int(mine)))
    assert said == (["15", *[others] * 9] if options else [mine] * 10)
