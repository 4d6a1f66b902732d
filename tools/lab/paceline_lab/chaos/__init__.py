"""Random faults on a real ONOS, switches, agents and traffic, and what must be so after each of them."""
