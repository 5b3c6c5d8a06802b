"""Sensors suggest, rules decide: what camera and dial report becomes a move, a question or a notice."""
