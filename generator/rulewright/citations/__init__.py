"""Which rule each number or name means, who cites it, and where everything stands on the site."""
