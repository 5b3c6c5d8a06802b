"""Yacht: five dice, twelve categories, three throws a turn; thrown into a tray, the table counts."""

from companion.games.yacht.pack import Yacht

pack = Yacht()
