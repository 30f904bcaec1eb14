"""Editions in order: rules, tables and player aids, with errata applied, and games on their series."""
