"""Everything drawn by hand: dice, coins, crests, towers, the ring. Drawn at three times the size, cached, scaled down."""

from display.paint.sprite import forget_sprites, ground, sprite

__all__ = ["forget_sprites", "ground", "sprite"]
