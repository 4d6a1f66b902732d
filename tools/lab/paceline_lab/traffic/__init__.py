"""What users do: light clients of each type of application, and what they are measured by."""
