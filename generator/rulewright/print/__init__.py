"""Player aids and rulebooks as PDF and EPUB, each held against what it promises."""
