"""Player aids and rulebooks as PDF, with preflight of each finished file."""
