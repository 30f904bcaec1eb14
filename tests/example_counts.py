"""Numbers of random inputs: TIMES=5 in the environment multiplies them by five.

What is tried does not depend on it but for its amount: more of it begins with the same.
"""

import os

TIMES = max(1, int(os.environ.get("TIMES", "1")))
