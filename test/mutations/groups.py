"""Groups, of which a filter drops all rows or none."""
from mutation import one

MUTATIONS = (
    one('groups are kept whole',
        '[WAY_HASH_AGG] = {yes, yes, no, no, yes, yes}',
        '[WAY_HASH_AGG] = {yes, yes, no, no, no, yes}',
        'join_groups'),
    one('groups of DISTINCT are kept whole',
        '[WAY_UNIQUE] = {no, no, yes, no, yes, yes}',
        '[WAY_UNIQUE] = {no, no, yes, no, no, yes}',
        'join_groups'),
    one('partitions of windows are kept whole',
        '[WAY_WINDOW] = {no, no, yes, no, yes, yes}',
        '[WAY_WINDOW] = {no, no, yes, no, no, yes}',
        'join_groups'),
    one('below groups, never switched off',
        'pf->spec.groups || bf_join_filters == BF_JOIN_FILTERS_FORCE ? 1',
        'bf_join_filters == BF_JOIN_FILTERS_FORCE ? 1',
        'join_groups'),
    one('a filter that comes late: not below groups',
        'if (node->groups && limits->first_row_untested)',
        'if (false)',
        'join_groups'),
    one('below groups, hashed before the first row',
        'step->gather != NULL || below.groups)',
        'step->gather != NULL)',
        'join_groups'),
)
