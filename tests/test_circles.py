"""No module imports one that imports it back, at once or by a detour, not even inside a function; what types alone want
is left aside."""

from graphlib import TopologicalSorter

import grimp


def test_imports_go_round_in_no_circle():
    graph = grimp.build_graph("nomopoly", exclude_type_checking_imports=True, cache_dir=None)
    modules = {each: graph.find_modules_directly_imported_by(each) for each in graph.modules}
    assert len(modules) > 400
    in_order = list(TopologicalSorter(modules).static_order())
    assert set(in_order) == set(modules)
