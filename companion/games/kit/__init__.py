"""What packs share: forms and refusals. Pure, like the packs themselves."""
