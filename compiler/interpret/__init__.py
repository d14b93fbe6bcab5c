"""Runs the IR of either level on NumPy, exactly and slowly: the oracle of passes and emitters."""
