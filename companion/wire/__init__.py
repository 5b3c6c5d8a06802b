"""The wire: all that rooms share. The one folder of the core that other rooms may import."""
