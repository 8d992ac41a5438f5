"""Python imports this as it starts, where this folder is on its path: what tests start goes by the tests' clock."""

import testclock

testclock.follow()
