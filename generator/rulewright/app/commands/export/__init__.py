"""Write the books in other forms than the site: pages, inventory, zip, EPUB.

example:
  rulewright export zip rules.zip
"""
