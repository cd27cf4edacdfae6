"""Filters that become sub-selects, so that they are computed once."""
from mutation import one

MUTATIONS = (
    one('a query without sub-selects gets none',
        '!is_bound_to_place(filter, &has_sublink) && has_sublink &&',
        '!is_bound_to_place(filter, &has_sublink) &&',
        'planner'),
    one('what changes from call to call is not kept',
        '!expression_returns_set(filter) && !contain_volatile_functions(filter)',
        '!expression_returns_set(filter)',
        'planner'),
    one('what belongs to a group stays where it is',
        'default: return true;',
        'default: return expression_tree_walker(node, BF_WALKER(is_bound_to_place), has_sublink);',
        'planner', in_function='is_bound_to_place'),
    one('a sub-select within another one is a level deeper',
        'IncrementVarSublevelsUp(filter, 1, 0);',
        ';',
        'planner', in_function='make_sub_select'),
)
