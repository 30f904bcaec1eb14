"""Rulewright: a wargame's rulebook kept as data and published."""
