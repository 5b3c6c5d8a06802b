"""How the shipped networks were made: rendered dice, labelled photos, training and calibration."""
