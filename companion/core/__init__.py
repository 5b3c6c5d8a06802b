"""The core: a message comes in, the rules decide, it goes to disk, the world hears of it."""
