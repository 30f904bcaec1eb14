"""Player aids as blocks with the rules, steps and tables that they show."""
