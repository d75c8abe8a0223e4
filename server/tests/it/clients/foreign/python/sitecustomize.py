"""A client in Python pauses for seconds between its tries. In tests it does not."""

import time

time.sleep = lambda seconds: None
