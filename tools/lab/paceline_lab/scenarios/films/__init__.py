"""Films that DASH clients watch: what each saw and what that was worth, and DiffPerf's figures and claims of it."""
