"""The content files of an edition, made of rules, tables, terms and plain pages."""
