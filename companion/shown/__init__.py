"""What each of our games shows, one module for each: frozen structs of plain values, filled by the pack, drawn by its screen, and
read by the phone as TypeScript (`python -m tools.wire_types`).

They lie apart from the packs because Python runs a package before its modules: a screen that imported one from a pack's
folder would load the rules with it.
"""
