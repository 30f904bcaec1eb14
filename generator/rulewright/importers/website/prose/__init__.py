"""The words of a rule as prose: links judged and written as references, hyphens mended, pictures named."""
