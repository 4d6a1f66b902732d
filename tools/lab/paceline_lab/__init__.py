"""Paceline's lab: the paper's network, real traffic over it, and what its users notice."""
