"""Paceline in anybody's mininet, as root:

    mn --custom tools/lab/paceline_mininet.py --topo tree,2 --controller paceline --host paceline

The controller is a real ONOS with Paceline: the one that `tools/paceline up` has started, or else one of its own for the time of the
run. Each host runs an agent with a certificate. `mininet> paceline conversations` is ONOS's shell. See docs/tutorial/mininet.md.
"""

import sys
from pathlib import Path

# mn reads this file with exec(), so that it has no __file__.
sys.path.insert(0, str(Path((lambda: None).__code__.co_filename).resolve().parent))

from paceline_lab.networks import mininet_nodes  # noqa: E402

controllers = {"paceline": mininet_nodes.PacelineController}
hosts = {"paceline": mininet_nodes.PacelineHost}
switches = {"default": mininet_nodes.PacelineSwitch, "paceline": mininet_nodes.PacelineSwitch}
CLI = mininet_nodes.PacelineCLI
# What mn calls after an error: its own kills by name, also what others run on this machine.
cleanup = mininet_nodes.clean_up
