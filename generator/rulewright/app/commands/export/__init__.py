"""Write the books in other forms than the site: pages, inventory, zip.

example:
  rulewright export zip rules.zip
"""

from collections.abc import Mapping

GONE: Mapping[str, str] = {
    "epub": "EPUB is gone; use the offline copy (`rulewright export zip`) or the PDF (`rulewright aids`)",
}
"""Commands that there were, and what does their work."""
