"""Resolution of references and names to their targets, citations of rules, and paths on the site."""
