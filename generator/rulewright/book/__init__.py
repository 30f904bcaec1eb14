"""An edition in its order: rules, steps, tables, player aids, errata applied, series and games."""
