"""Rules, tables and texts of an edition as nodes, and player aids as blocks with what they show."""
