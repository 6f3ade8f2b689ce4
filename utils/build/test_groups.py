# SPDX-License-Identifier: GPL-2.0-only
"""
A pytest plug-in that shares the tests out among processes, those of a group to one (xdist_group).  Other than
with xdist 3.1 itself, a test that takes its process down is not tried again in the next one.
"""

from xdist.scheduler import LoadGroupScheduling


def pytest_xdist_make_scheduler(config, log):
    return GroupScheduling(config, log)


class GroupScheduling(LoadGroupScheduling):
    """Runs each test once."""

    def remove_node(self, node):
        """Returns the test that a process has died in; the others of its groups are run elsewhere."""
        for unit in self.assigned_work.get(node, {}).values():
            for test, is_done in unit.items():
                if not is_done:
                    unit[test] = True
                    super().remove_node(node)
                    return test
        return super().remove_node(node)
