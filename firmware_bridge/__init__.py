"""Dial, buttons and lamps: reports what hands did."""
