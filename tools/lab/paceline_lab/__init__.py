"""Paceline's lab: the paper's network in mininet, real traffic over it, and what its users notice."""
