"""Make content of a Hugo site, of Markdown, or of a sequence of play in plain text.

example:
  rulewright import hugo ../site/content/rules content/ocs/4.3
"""
