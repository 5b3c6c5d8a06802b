"""A score pad for any game: points with reasons, rounds or free, nothing lost."""

from companion.games.scorepad.pack import ScorePad

pack = ScorePad()
