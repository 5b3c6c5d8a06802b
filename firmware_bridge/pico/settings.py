"""Where things are soldered on; `tableside firmware flash` writes this file from the table's settings."""

PIN_A = 2
PIN_B = 3
PIN_BUTTON = 4
PIN_INDEX = 5
PIN_LEDS = 6
LEDS = 24
