"""The paper's network with its users, best effort, rivals and managed one after the other."""
