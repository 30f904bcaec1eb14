"""Resolution of references and names to their targets, citations of rules, and addresses on the site."""
