"""Programs of third parties on a managed host, alone and beside users: what they get, and what users notice."""
