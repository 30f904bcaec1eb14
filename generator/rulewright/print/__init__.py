"""Player aids and rulebooks as PDF, each held against what it promises."""
