"""`tools/paceline evaluate`: managed against what a user would pick instead, by size and with how sure that is."""
