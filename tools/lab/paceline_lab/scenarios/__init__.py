"""Published experiments, run again in the lab against what they were compared with, and against Paceline."""
