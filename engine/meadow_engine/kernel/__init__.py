"""What every game shares: pending work, randomness, encoding, actions, records."""
