"""What packs share: forms, refusals, names, games with dice. Pure, like the packs themselves."""
