"""What goes wrong when a rule of join filters is taken out, and which test sees it.

A mutation is a piece of the source, in the place of which another one stands;
the piece must be there exactly once.  See script/mutate.
"""
import sys
from dataclasses import dataclass
from pathlib import Path

SPEC = 'src/joins/spec.c'
STATEMENT = 'src/joins/rules/statement.c'
STABILITY = 'src/joins/rules/stability.c'
KEYS = 'src/joins/rules/keys.c'
EXPECTED = 'src/joins/choice/expected.c'
LOOKUPS = 'src/joins/hooks/lookups.c'
STEPS = 'src/joins/rules/steps.c'
PLACES = 'src/joins/rules/places.c'
SELECTIVITY = 'src/joins/choice/selectivity.c'
CANDIDATES = 'src/joins/choice/candidates.c'
ELIGIBLE = 'src/joins/rules/eligible.c'
GAIN = 'src/joins/choice/gain.c'
CHOICE = 'src/joins/choice/choice.c'
PLAN = 'src/joins/hooks/plan.c'
BUILD = 'src/joins/run/build.c'
SHARED = 'src/joins/run/shared.c'
PROBE = 'src/joins/run/probe.c'
HASH = 'src/joins/run/hash.c'
HASH_H = 'src/joins/run/hash.h'
HASH_BUFFER = 'src/joins/run/hash_buffer.c'
MAILBOX = 'src/joins/run/mailbox.h'
HANDOVER = 'src/joins/run/handover.c'
NODE = 'src/joins/run/node.c'
DROPPED = 'src/joins/run/dropped.h'
SKIPPING = 'src/joins/choice/skipping.c'
PLAN_BOUNDS = 'src/joins/choice/bounds.c'
BOUNDS = 'src/joins/ranges/bounds.c'
SKIP = 'src/joins/run/skip.c'
SUMMARIES = 'src/joins/ranges/summaries.c'
PAGES = 'src/joins/ranges/pages.c'
KEYSET = 'src/joins/ranges/keyset.c'
INTERVALS = 'src/joins/ranges/intervals.c'
BITMAP = 'src/joins/ranges/bitmap.c'
REMOTE = 'src/joins/remote/remote.c'
REMOTE_ESTIMATE = 'src/joins/remote/estimate.c'
REMOTE_LIST = 'src/joins/remote/list.c'
REMOTE_FIND = 'src/joins/remote/find.c'
REMOTE_RULES = 'src/joins/remote/rules.c'
REMOTE_FILTER = 'src/joins/remote/filter.c'
DECLARED = 'src/type/hashing/declared.c'


@dataclass
class Mutation:
    """tests: those that must fail, each by itself: names of regression tests,
    isolation, random (queries), or the names of TAP tests"""
    rule: str
    changes: tuple              # of (file, old, new)
    tests: tuple


def one(rule, path, old, new, *tests):
    return Mutation(rule, ((path, old, new),), tests)


def grouped(column, n, columns, operators, collations):
    return f'is_grouping_column({column}, plan->{n}, plan->{columns},\n\t\t\t\t\t\t   plan->{operators}, plan->{collations}, key)'


def row(way, cells):
    """A row of the table of what nodes do: six letters, y or n."""
    name = f'[{way}] ='
    tabs = '\t' * -(-(28 - len(name)) // 4)
    first, *middle, last = ['yes' if cell == 'y' else 'no' for cell in cells]
    middle = ''.join(cell + (',\t' if cell == 'yes' else ',\t\t') for cell in middle)
    return f'{name}{tabs}{{{first},\t{middle}{last}}}'


def cells(rule, way, old, new, *tests):
    return one(rule, STEPS, row(way, old), row(way, new), *tests)


MUTATIONS = (
    one('LEFT joins have no filter', ELIGIBLE, 'type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT',
        'type == JOIN_INNER || type == JOIN_LEFT || type == JOIN_SEMI || type == JOIN_RIGHT', 'join_rules', 'random'),
    one('FULL joins have no filter', ELIGIBLE, 'type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT',
        'type == JOIN_INNER || type == JOIN_FULL || type == JOIN_SEMI || type == JOIN_RIGHT', 'join_rules', 'random'),
    one('ANTI joins have no filter', ELIGIBLE, 'type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT',
        'type == JOIN_INNER || type == JOIN_ANTI || type == JOIN_SEMI || type == JOIN_RIGHT', 'join_rules'),
    one('RIGHT joins have one', ELIGIBLE, 'type == JOIN_SEMI || type == JOIN_RIGHT', 'type == JOIN_SEMI', 'join_rules'),
    one('SEMI joins have one', ELIGIBLE, 'type == JOIN_SEMI || type == JOIN_RIGHT', 'type == JOIN_RIGHT', 'join_rules'),
    one('the Hash depends on no parameter', ELIGIBLE, 'if (bms_is_subset(hash->extParam, harmless))', 'if (true)', 'join_rules'),
    one("nor do the Hash's own keys", ELIGIBLE, 'if (bms_is_subset(hash->extParam, harmless))',
        'if (bms_is_subset(outerPlan(hash)->extParam, harmless))', 'join_rules'),
    one('but it may on the value of a constant sub-select', ELIGIBLE, 'Bitmapset  *harmless = statement->constant_params;',
        'Bitmapset  *harmless = NULL;', 'join_rules'),
    one("and on a Gather's", ELIGIBLE, 'harmless = bms_union(harmless, statement->gather_params);', ';', '010_join_filters'),
    one('what is hashed is not volatile', ELIGIBLE, 'return bf_join_stability(statement, hash) == BF_JOIN_VOLATILE ?',
        'return false ?', 'join_rules'),
    one('the operator is strict', CANDIDATES, 'if (!op_strict(operator))', 'if (false)', 'join_rules'),
    one('an expression is evaluated behind all keys before it', CANDIDATES, '(!IsA(bf_strip_relabel(key->inner), Var) || ', '(', 'join_rules'),
    one('there must be a collation to hash by', CANDIDATES,
        'if (lacks_collation(outer, inner, collation))', 'if (false)', 'join_rules'),
    one('as is a hash function that may fail', CANDIDATES, ' || !bf_join_hash_is_harmless(key->operator)))', '))', 'join_rules'),
    one('sub-selects of sub-selects are volatile, too', STABILITY, '} while (doubtful_params(statement) > known);',
        '} while (false);', 'join_rules'),
    one('where rows are hidden, only leakproof operators tell of them', PLACES, '(statement->hides_rows && ', '(false && ',
        'join_visibility'),
    one('no filter rests longer than it should', PROBE, 'pf->rest -= Min(rows, pf->rest);', 'pf->rest -= rows;', 'join_filters_explain'),
    one('rests become longer', PROBE, 'Min(2 * pf->rest_rows, LAST_REST_ROWS)', 'FIRST_REST_ROWS', 'join_costs', 'join_filters_explain'),
    one('but not without end', PROBE, 'Min(2 * pf->rest_rows, LAST_REST_ROWS)', '2 * pf->rest_rows', 'join_costs'),
    one('and are short again once a window has paid', PROBE, 'pf->rest_rows = 0;', 'pf->rest_rows *= 1;', 'join_costs'),
    one('behind a rest, a few rows decide', PROBE, 'pf->window_rows = RETRY_ROWS;', '', 'join_costs', 'join_filters_explain'),
    one('each key by its own selectivity', SELECTIVITY, 'if (list_length(keys) < nkeys || ', 'if (', 'join_costs'),
    one("the join's other conditions are no filter's", SELECTIVITY, ' || join->join.joinqual != NIL', '', 'join_costs'),
    one('nor are those of WHERE', SELECTIVITY, ' || join->join.plan.qual != NIL', '', 'join_costs'),
    one('NULL does not pass', SELECTIVITY, ' * (1 - sides->outer.nulls)', '', 'join_costs'),
    one('without statistics, keys share the selectivity', SELECTIVITY, 'return pow(of_join, (double) list_length(keys) / nkeys);',
        'return 1;', 'join_costs'),
    one('rows that are chosen by the key lie together', SELECTIVITY,
        'if (bms_is_member(inner->number - FirstLowInvalidHeapAttributeNumber, restricted))', 'if (false)', 'join_costs'),
    one('or by a column in the same order', SELECTIVITY, 'bf_join_correlation(&statistics) >= IN_ORDER', 'false', 'join_costs'),
    one('but by no other', SELECTIVITY, 'bf_join_correlation(&statistics) >= IN_ORDER', 'true', 'join_costs'),
    one('a partitioned table has statistics of its own', SELECTIVITY, '.of_partitions = column->scan == NULL', '.of_partitions = false',
        'join_costs'),
    one('a row costs more on its way past a large hash table', GAIN, 'Max(log2(bytes / CACHED_BYTES), 0)', '0', 'join_costs'),
    one('but not past one that the cache holds', GAIN, 'Max(log2(bytes / CACHED_BYTES), 0)', '4', 'join_costs'),
    one('there more rows may pass', GAIN, 'Min(1 - TEST_COST / probe_cost(bytes), MAX_PASS_DEAR)', 'MAX_PASS_PLAIN', 'join_costs'),
    one('both sides are hashed alike', HASH, ' || hash_kind(other) == BF_JOIN_HASH_CALL)', ')', 'join_filters'),
    one("other people's operators compare what they like", HASH, 'get_opcode(operator) >= FirstGenbkiObjectId || ', '', 'join_filters'),
    one('columns of a key are mixed', HASH_H, 'return murmurhash32(key) ^ column;', 'return key ^ column;', 'join_costs'),
    one('no more than ten at a place', CHOICE, '#define MAX_FILTERS\t\t10', '#define MAX_FILTERS\t\t100', 'join_rules', 'join_costs'),
    one('a filter gains only from what others leave', CHOICE, '*at_place *= filters->filters[i]->estimate.pass;', '', 'join_costs'),
    one("nodes have their child's parameters", PLAN, 'plan->allParam = bms_copy(child->allParam);',
        'plan->extParam = plan->allParam = NULL;', 'join_rules'),
    one('outer side: what becomes of a row is its own', STEPS,
        'return type == JOIN_INNER || type == JOIN_LEFT || type == JOIN_SEMI || type == JOIN_ANTI;', 'return true;', 'join_rules'),
    one('inner side: of an inner join only', STEPS, 'if (join->join.jointype != JOIN_INNER)',
        'if (false)', 'join_rules'),
    one('GROUP BY: by a column of it', STEPS, 'plan->chain == NIL &&\n\t\tstep_through(way, &plan->plan, column, step) &&\n\t\t'
        + grouped('step', 'numCols', 'grpColIdx', 'grpOperators', 'grpCollations'),
        'plan->chain == NIL &&\n\t\tstep_through(way, &plan->plan, column, step)', 'join_rules'),
    one('GROUP BY: without grouping sets', STEPS, 'plan->groupingSets == NIL && plan->chain == NIL &&', '', 'join_rules'),
    one('DISTINCT ON: by a column of it', STEPS, grouped('step', 'numCols', 'uniqColIdx', 'uniqOperators', 'uniqCollations'),
        'true', 'join_rules'),
    one('windows: by a column of PARTITION BY', STEPS,
        grouped('step', 'partNumCols', 'partColIdx', 'partOperators', 'partCollations'), 'true', 'join_rules'),
    one('a grouping is not coarser: operators', KEYS, 'equality_ops_are_compatible(operator, key->operator)', 'true', 'join_rules'),
    one('a grouping is not coarser: collations', KEYS,
        '(is_deterministic(collation) && is_deterministic(key->collation))', 'true', 'join_rules'),
    one('not through volatile functions', PLACES, 'if (!bf_join_is_calm(context->step.statement, plan))\n\t\treturn BF_JOIN_NOT_CALM;\n\tif (!find_below_step',
        'if (!find_below_step', 'join_rules'),
    one('nor past them on the other side of a join', STEPS,
        'if (bf_join_stability(context->statement, innerPlan(plan)) == BF_JOIN_VOLATILE)', 'if (false)', 'join_rules'),
    cells('nor past a join that may look at one row only', 'WAY_HASH_OUTER', 'nnyyny', 'nnnyny', 'join_rules'),
    one('nor where rows may have no end', PLACES, 'return bf_join_may_be_endless(context->step.statement, *step->place) ?', 'return false ?', 'join_rules'),
    one('a CTE may have none', STABILITY, '\t\tcase T_CteScan:\n\t\t\treturn bf_join_may_be_endless(statement,',
        '\t\tcase T_CteScan:\n\t\t\treturn false && bf_join_may_be_endless(statement,', 'join_rules'),
    one('nor may what a program writes', STABILITY, 'return handler == NULL || strcmp(handler, "postgres_fdw_handler") != 0;', 'return false;',
        'join_rules'),
    one('a join that stops in each scan goes on to do so', PLACES, 'node->may_stop && step->stops_anew &&', 'false &&', 'join_rules'),
    cells('and so does a merge join', 'WAY_MERGE_OUTER', 'nyynny', 'nynnny', 'join_rules'),
    one('nor where another key of the join is volatile', ELIGIBLE,
        '!bf_join_expression_is_calm(statement, (Node *) join->hashkeys)', 'false', 'join_rules'),
    one('nor where nothing may be hashed', STEPS,
        'if (bf_join_stability(context->statement, outerPlan(plan)) == BF_JOIN_VOLATILE)', 'if (false)', 'join_rules'),
    cells('nor in a merge of tables', 'WAY_MERGE_APPEND', 'nynynn', 'nnnynn', 'join_rules'),
    one('nor past aggregates that call them', STABILITY, 'aggregate_is_volatile(context->statement, ((Aggref *) node)->aggfnoid)', 'false', 'join_rules'),
    one('nor windows of such', STABILITY, 'aggregate_is_volatile(context->statement, ((WindowFunc *) node)->winfnoid)', 'false', 'join_rules'),
    one('of an aggregate, all functions count', STABILITY, 'form->aggtransfn, form->aggfinalfn,', 'form->aggtransfn,', 'join_rules'),
    one('nor after a function that they call became volatile', STABILITY, '\t\t\tbf_join_watch_function(statement, functions[i]);\n', '',
        'join_rules'),
    one('nor after a hash function is trusted no more', PLACES, '\tbf_join_watch_hash(statement, key->operator);\n', '', 'join_rules'),
    cells('groups are kept whole', 'WAY_HASH_AGG', 'ynnnyy', 'ynnnny', 'join_groups'),
    cells('those of DISTINCT, too', 'WAY_UNIQUE', 'nynnyy', 'nynnny', 'join_groups'),
    cells('and partitions of windows', 'WAY_WINDOW', 'nynnyy', 'nynnny', 'join_groups'),
    one('hash functions of both sides may fail', KEYS, 'bf_join_function_is_harmless(left) &&\n\t\tbf_join_function_is_harmless(right);',
        'bf_join_function_is_harmless(left);', 'join_rules'),
    one('below groups, not switched off once many rows were dropped', PROBE,
        'if (pf->spec.groups == BF_JOIN_GROUPS_NONE || bf_dropped_few(pf->filter))', 'if (true)', 'join_groups'),
    one('what was dropped before goes on to be dropped', PROBE, 'filter->groups_off && !bf_dropped_before(filter, has_key, hash)',
        'filter->groups_off', 'join_groups'),
    one('so is NULL', DROPPED, '\t\tfilter->dropped_null = true;\n', '', 'join_groups'),
    one('in several tables: switched off in all of them', PROBE, 'if (filter->groups_off && !bf', 'if (pf->off_count > 0 && !bf',
        'join_groups'),
    one('a filter does not begin within a group', PROBE,
        'pf->in_group ? BF_JOIN_PROBE_WAITING_FOR_GROUP : BF_JOIN_PROBE_TESTING', 'BF_JOIN_PROBE_TESTING', 'join_groups'),
    one('a filter that comes late: only where groups are in order', PLACES,
        'groups_above_child(context, step) == BF_JOIN_GROUPS_SCATTERED', 'false', 'join_groups'),
    one('a Parallel Hash is filled first in parallel mode only', ELIGIBLE, 'return join->join.jointype != JOIN_RIGHT &&',
        'return !hash->parallel_aware && join->join.jointype != JOIN_RIGHT &&', 'join_rules'),
    cells('tables that are merged are not in order', 'WAY_MERGE_APPEND', 'nynynn', 'nynnnn', 'join_groups'),
    one('equal values may differ, and DISTINCT has the first', STABILITY, '\t\tcase T_Agg:\n\t\tcase T_Group:', '\t\tcase T_Group:',
        'join_filters'),
    one('what a process drops of a shared hash table, others miss', STEPS,
        'if (context->limits->differs_by_process)\n', 'if (false)\n', 'join_rules'),
    one('and of shared batches', STEPS, 'context->limits->differs_by_process && innerPlan(plan)->parallel_aware', 'false',
        'join_rules'),
    one('samples differ each time', STABILITY, '((SampleScan *) plan)->tablesample->repeatable == NULL', 'false', 'join_rules'),
    one('sub-selects may run again with what needs them', STABILITY, 'bms_is_member(subplan->plan_id, statement->run_once)', 'true', 'join_rules'),
    one('arrays have an order', STABILITY, 'subplan->subLinkType == ARRAY_SUBLINK ?', 'false ?', 'join_rules'),
    one('what is kept if it is little runs less often', PLACES, 'node->stores && limits->runs_again &&', 'false &&', 'join_rules'),
    one('sub-selects run again, but those that are constant', CANDIDATES, '.runs_again = !bms_is_member(id, context->statement->run_once)',
        '.runs_again = true', 'join_filters'),
    one('EXISTS wants one row', CANDIDATES, 'if (subplan->subLinkType != EXISTS_SUBLINK)', '', 'join_filters'),
    one('a CTE returns as many rows as its readers want', CANDIDATES, 'if (IsA(plan, CteScan) && around->wants_few_rows)', 'if (false)',
        'join_filters'),
    one('not through LIMIT', STEPS, '\t\tcase T_Result:\n\t\t\treturn step_through', '\t\tcase T_Limit:\n\t\tcase T_Result:\n\t\t\treturn step_through',
        'join_rules'),
    one('not through row locks', STEPS, '\t\tcase T_Result:\n\t\t\treturn step_through', '\t\tcase T_LockRows:\n\t\tcase T_Result:\n\t\t\treturn step_through',
        'join_rules'),
    one('not through SetOp', STEPS, '\t\tcase T_Result:\n\t\t\treturn step_through', '\t\tcase T_SetOp:\n\t\tcase T_Result:\n\t\t\treturn step_through',
        'join_rules'),
    one('not through set-returning functions', STEPS, '\t\tcase T_Result:\n\t\t\treturn step_through',
        '\t\tcase T_ProjectSet:\n\t\tcase T_Result:\n\t\t\treturn step_through', 'join_rules'),
    one('foreign hash functions see no more rows', PLACES, 'if (!bf_join_hash_is_harmless(key->operator) ||', 'if (', 'join_rules'),
    one('nor do those of what is in containers', KEYS, 'function != F_HASH_ARRAY && function', 'function', 'join_rules'),
    one("slots are the child's", NODE, 'node->ss.ps.resultops = ExecGetResultSlotOps(child, &node->ss.ps.resultopsfixed);',
        '(void) child;', 'join_rules', 'random'),
    one('every key is in the filter', HASH_BUFFER, '\tbuffer->count++;\n\treturn true;',
        '\tbuffer->count++;\n\tif (buffer->count > 10) chunk->count--;\n\treturn true;', 'join_rules', '010_join_filters'),
    one('too many keys: no filter', BUILD, '\t\tgive_up(build);\n}\n\n/* All rows', '\t\t;\n}\n\n/* All rows', '010_join_filters'),
    one('Parallel Hash: participants share the filter', PLAN,
        'build->scan.plan.parallel_aware = hash->parallel_aware;', ';', '010_join_filters'),
    one('Parallel Hash: each adds its keys', BUILD, '(void) bf_join_shared_merge(build->filter.shared, &build->collected);', ';',
        '010_join_filters', 'random'),
    one('Parallel Hash: what was given up is not used', SHARED, 'if (filter->blocks != NULL || bf_join_shared_is_given_up(shared))',
        'if (filter->blocks != NULL)', '010_join_filters'),
    one('workers have the filters of joins above Gather', HANDOVER,
        'bf_join_shared_attach(shared_filter(coordinate, i), filter);\n\t\tbf_mailbox_publish(handed->mailbox, filter);', ';',
        'join_gather'),
    one('the join hashes before they start', PLACES, 'step->gather != NULL || below.groups', 'below.groups', 'join_gather'),
    one('or it has no filter there', STEPS, 'context->limits->first_row_untested', 'false',
        'join_gather', 'join_reasons'),
    one('nor may workers call what is not safe in them', STEPS, '!bf_join_hash_is_parallel_safe(context->key->operator) ||', 'false ||',
        'join_gather'),
    one('nor for skipping', PLAN_BOUNDS, 'func_parallel(function) == PROPARALLEL_SAFE', 'true', 'join_gather'),
    one('nor skip alone what groups of several processes need', SKIPPING, '(whole_groups && target->gather == NULL)', 'whole_groups',
        'join_gather'),
    one('nor after a comparison has become unsafe there', PLAN_BOUNDS, 'bf_join_watch_function(column->statement, function);', ';',
        'join_gather'),
    one('no process switches off alone what groups need', PLAN, 'processes_share_groups(candidate) ? 1 : ',
        'false && processes_share_groups(candidate) ? 1 : ', 'join_gather'),
    one('each scan of Gather has the filter of its time', HANDOVER,
        '\t\tbf_join_shared_clear(shared_filter(coordinate, i));\n\thand_over(handover, coordinate);', '\t\t(void) coordinate;',
        'join_gather'),
    one('or none, if that is larger', SHARED, 'else if (filter->nblocks != shared->size.nblocks)\n\t\treturn false;',
        'else if (false)\n\t\treturn false;', 'join_gather'),
    cells('workers would read on for a few rows', 'WAY_GATHER', 'nynyny', 'nnnyny', 'join_gather'),
    one('workers are started in any case', STEPS, 'plan->startup_cost - outerPlan(plan)->startup_cost', '0', 'join_gather'),
    one('workers know the keys by which they skip', SHARED, 'bf_join_shared_write_keys(shared, filter->keys, filter->nkeys);',
        '(void) filter;', 'join_gather'),
    one('other servers: the other side of an outer join has no filter', REMOTE_FIND, 'join->jointype == JOIN_INNER || join->jointype == JOIN_RIGHT',
        'join->jointype != JOIN_FULL', '017_remote_filters'),
    one('other servers: conditions of an outer join are none of the query', REMOTE_FIND, 'if (join->jointype == JOIN_INNER)\n\t\t\tadd_conditions',
        'if (true)\n\t\t\tadd_conditions', '017_remote_filters'),
    one('other servers: conditions about other tables make no keys', REMOTE_FIND, '!is_about_more(condition, &relation) &&',
        '!contain_subplans(condition) &&', '017_remote_filters'),
    one('other servers: what a stable function returns may change', REMOTE_FIND, '!(volatile_anywhere && contain_mutable_functions(condition))',
        'true', '017_remote_filters'),
    one('other servers: sub-selects that return something else of fewer rows', REMOTE_RULES, '!query->hasAggs && !query->hasWindowFuncs',
        '!query->hasWindowFuncs', '017_remote_filters'),
    one('other servers: nor LIMIT', REMOTE_RULES, 'query->limitOffset == NULL && query->limitCount == NULL',
        'true', '017_remote_filters'),
    one('other servers: nor DISTINCT ON', REMOTE_RULES, '\t\t!query->hasDistinctOn &&\n',
        '', '017_remote_filters'),
    one('other servers: not in a security barrier view', REMOTE_FIND, '!rte->lateral && !rte->security_barrier',
        '!rte->lateral', '017_remote_filters'),
    one('other servers: no filter where rows are locked', REMOTE_RULES, 'inserts_elsewhere(query) || query->rowMarks != NIL ||',
        'inserts_elsewhere(query) ||', '017_remote_filters'),
    one('other servers: nor where they are locked further below', REMOTE_RULES, 'query->commandType != CMD_SELECT || query->rowMarks != NIL ||',
        'query->commandType != CMD_SELECT ||', '017_remote_filters'),
    one('other servers: nor where they are changed', REMOTE_RULES, 'query->commandType != CMD_SELECT && query->commandType != CMD_INSERT',
        'query->commandType == CMD_UTILITY', '017_remote_filters'),
    one('other servers: nor where they are inserted there', REMOTE_RULES, 'inserts_elsewhere(query) || query->rowMarks',
        'query->rowMarks', '017_remote_filters'),
    one('other servers: a volatile condition is evaluated for all rows', REMOTE_RULES, 'return conditions_are_volatile(query) ? BF_JOIN_VOLATILE_CONDITION : BF_JOIN_ALLOWED;',
        'return conditions_are_volatile(query) ? BF_JOIN_ALLOWED : BF_JOIN_ALLOWED;', '017_remote_filters'),
    one('other servers: a policy on the local table', REMOTE_RULES, '\tif (rte->securityQuals != NIL)\n\t\treturn BF_JOIN_ROW_SECURITY;\n\treturn is_one',
        '\treturn is_one', '017_remote_filters'),
    one('other servers: children are read, too', REMOTE_RULES, 'return !rte->inh || !has_subclass(rte->relid);',
        'return true;', '017_remote_filters'),
    one('other servers: no local partition is foreign', REMOTE_RULES, 'if (get_rel_relkind(lfirst_oid(lc)) == RELKIND_FOREIGN_TABLE)\n\t\t\treturn false;',
        'continue;', '017_remote_filters'),
    one('other servers: no samples', REMOTE_RULES, 'rte->rtekind != RTE_RELATION || rte->tablesample != NULL',
        'rte->rtekind != RTE_RELATION', '017_remote_filters'),
    one('other servers: text in UTF8 only', REMOTE_RULES, 'GetDatabaseEncoding() == PG_UTF8 ?',
        'GetDatabaseEncoding() != PG_SQL_ASCII ?', '017_remote_filters'),
    one('other servers: deterministic collations only', REMOTE_RULES, 'return OidIsValid(collation) && get_collation_isdeterministic(collation);',
        'return OidIsValid(collation);', '017_remote_filters'),
    one('other servers: an equality', REMOTE_RULES, 'get_op_hash_functions(operator, &left, &right) &&',
        'true &&', '017_remote_filters'),
    one('other servers: of types with one hash', REMOTE_RULES,
        '!is_own_equality(comparison->opno, getBaseType(foreign->vartype))', 'false', '017_remote_filters'),
    one('other servers: everybody may call the functions', REMOTE_RULES, 'BF_PUBLIC_MAY_EXECUTE(functions->aggregate) &&',
        'true &&', '017_remote_filters'),
    one('other servers: the server lists the extension', REMOTE_RULES, 'if (lists_extension(server))',
        'if (true)', '017_remote_filters'),
    one('other servers: types whose hash is fixed', DECLARED, '\t\tcase OIDOID:\n',
        '\t\tcase OIDOID:\n\t\tcase NUMERICOID:\n', '017_remote_filters'),
    one('other servers: a column is what it is declared as', DECLARED, '(strcmp(actual, declared) == 0 ||',
        '(true ||', '017_remote_filters'),
    one('other servers: a filter\'s size is given', REMOTE_FILTER, 'list_make2(bf_remote_local_key(candidate), items)',
        'list_make2(bf_remote_local_key(candidate), makeNullConst(FLOAT8OID, -1, InvalidOid))', '017_remote_filters'),
    one('other servers: a plan that costs more is not taken', REMOTE, 'verdict->with >= verdict->without',
        'verdict->with < 0', '017_remote_filters'),
    one('other servers: the rows of the join are those without a filter', REMOTE_ESTIMATE,
        'condition->norm_selec = Min(condition->norm_selec / passed, 1);', ';', '017_remote_filters'),
    one('lists: only where the planner may send the comparison', REMOTE_RULES, 'estimates != NULL && defGetBoolean(estimates) ?', 'true ?',
        '020_remote_lists'),
    one('lists: the option of the table decides', REMOTE_RULES, 'return option != NULL ? option : find_option(server->options, name);',
        'return find_option(server->options, name);', '020_remote_lists'),
    one('lists: none is searched here', REMOTE_RULES, 'number[BF_REMOTE_NOTHING] == 0 && nlocal == 0', 'number[BF_REMOTE_LIST] > 0',
        '020_remote_lists'),
    one('lists: of one type', REMOTE_RULES, 'return left == right && getBaseType', 'return getBaseType', '020_remote_lists'),
    one('lists: no domain here', REMOTE_RULES, 'getBaseType(key->vartype) == key->vartype &&', 'true &&', '020_remote_lists'),
    one('lists: nor there', REMOTE_RULES, 'getBaseType(foreign->vartype) == foreign->vartype &&', 'true &&', '020_remote_lists'),
    one('lists: no other collation of the keys', REMOTE_RULES, 'has_default_collation(key) &&', 'true &&', '020_remote_lists'),
    one('lists: nor of the column', REMOTE_RULES, '&& has_default_collation(foreign)', '', '020_remote_lists'),
    one('lists: only for what becomes a join', REMOTE_FIND, 'means == BF_REMOTE_LIST && search->is_no_join', 'false', '020_remote_lists'),
    one('lists: a correlated IN does not', REMOTE_RULES, '!query->hasSubLinks &&\n\t\t!contain_vars_of_level((Node *) query, 1)', '!query->hasSubLinks',
        '020_remote_lists'),
    one('lists: nor EXISTS, from either side', REMOTE_RULES, 'return link->subLinkType == ANY_SUBLINK && query->cteList', 'return query->cteList',
        '020_remote_lists'),
    one('lists: everybody may call the functions', REMOTE_RULES, 'if (!BF_PUBLIC_MAY_EXECUTE(list_functions[i]))', 'if (false)',
        '020_remote_lists'),
    one('lists: and goes on to be allowed to', REMOTE, 'if (choice.has_list)', 'if (false)', '020_remote_lists'),
    one('lists: NULL if there are more keys', REMOTE_LIST, 'result->limitCount = (Node *) number(BF_REMOTE_LIST_MOST + 1);',
        'result->limitCount = (Node *) number(BF_REMOTE_LIST_MOST);', '020_remote_lists'),
    one('lists: of limited length', REMOTE_LIST, 'compare(Int8LessOperator, rows, number(BF_REMOTE_LIST_MOST + 1))',
        'compare(Int8LessOperator, rows, number(BF_REMOTE_LIST_MOST + 2))', '020_remote_lists'),
    one('lists: each key counts once', REMOTE_LIST, '\tresult->distinctClause = list_make1(bf_remote_group(entry));\n', '', '020_remote_lists'),
    one('lists: NULL if a key is not sent', REMOTE_LIST, 'compare(equal, sent, copyObject(rows))',
        '(equal != 0 && sent != NULL ? makeBoolConst(true, false) : NULL)', '020_remote_lists'),
    one('lists: no long keys', REMOTE_LIST, 'Int32GetDatum(MOST_KEY_BYTES + 1)', 'Int32GetDatum(MOST_KEY_BYTES + 2)', '020_remote_lists'),
    one('lists: no characters that the other server may lack', REMOTE_LIST, 'length_of(F_LENGTH_TEXT, TEXTOID, key)',
        'length_of(F_OCTET_LENGTH_TEXT, TEXTOID, key)', '020_remote_lists'),
    one('lists: without keys no rows pass', REMOTE_LIST, 'return when_true(is_whole, list,', 'return when_true(is_whole, keys,',
        '020_remote_lists'),
    one('lists: a name of their own', REMOTE_LIST, 'for (number = 1; has_cte(query, result); number++)', 'for (number = 1; false; number++)',
        '020_remote_lists'),
    one('lists: before CTEs that read them', REMOTE_LIST, 'lcons(cte, query->cteList)', 'lappend(query->cteList, cte)', '020_remote_lists'),
    one('lists: as far from the outermost query as the table', REMOTE_LIST, 'cte->ctelevelsup = depth + 1;', 'cte->ctelevelsup = 1;',
        '020_remote_lists'),
    one('lists: rows are expected for all keys', REMOTE_ESTIMATE, '\t\tcorrect_rows(rel, rte, passed / expected);\n', '', '020_remote_lists'),
    one('lists: in each partition', REMOTE_ESTIMATE, 'if (rte->inh)\n\t\treturn;', 'return;', '020_remote_lists'),
    one('lists: not of too many keys', REMOTE, 'verdict->keys <= BF_REMOTE_LIST_EXPECTED ?', 'true ?', '020_remote_lists'),
    one('lists: not for tables that are joined there', REMOTE, 'candidate->means == BF_REMOTE_LIST && joins_there(stmt)', 'false',
        '020_remote_lists'),
    Mutation('EvalPlanQual: not a filter of another EState', (
        (MAILBOX, ' || filter->owner != estate', ''),
        (ELIGIBLE, 'if (bms_is_subset(hash->extParam, harmless))', 'if (true)')), ('isolation',)),
    # what is not read
    one('where rows get into groups, no blocks are skipped', SKIPPING, '!whole_groups && IsA(plan, SeqScan)', 'IsA(plan, SeqScan)',
        'join_skip', 'join_skip_groups'),
    one('nor partitions that have a part of a group', SKIPPING, 'whole_groups ? bf_join_find_common_bounds(column) :', '',
        'join_skip_groups'),
    one('nor those of several tables', SKIPPING, 'if (!OidIsValid(top) ||\n\t\t\tbf_join_top_table(*((BfJoinTarget *) lfirst(lc))->place, stmt) != top)', 'if (false)',
        'join_skip_groups'),
    one('nor before the filter is complete', SKIPPING, 'complete && are_of_one_table', 'are_of_one_table', 'join_skip_groups'),
    one('a group is in one partition of those by its key', PLAN_BOUNDS, 'common = is_partitioned_by(&above, above.relation);',
        'common = true;', 'join_skip_groups'),
    one('nor by a scan that calls volatile functions', SKIPPING, '!bf_join_is_calm(statement, plan)', 'false', 'join_skip'),
    one('nor where hidden rows would be compared by what is not leakproof', PLAN_BOUNDS,
        '(!get_func_leakproof(result) && may_hide_rows(column->statement))', 'false', 'join_skip'),
    one('a join that skips hashes first', PLAN, 'outer->startup_cost = Max(outer->startup_cost, hash->total_cost);', '', 'join_skip'),
    one('but not if its outer side is volatile', STABILITY, 'bf_join_stability(statement, outerPlan(&join->join.plan)) != BF_JOIN_VOLATILE',
        'true', 'join_skip', 'join_snowflake'),
    one('nor if hashing might never end', STABILITY, '!bf_join_may_be_endless(statement, innerPlan(&join->join.plan))', 'true',
        'join_skip_rules', 'join_snowflake'),
    one('nor if a sub-select for each row might not end', STABILITY, 'context->may_be_endless |= sub_select_may_be_endless(context->statement, subplan);',
        ';', 'join_snowflake'),
    one('nor if a sub-select that runs once might not end', STABILITY,
        'context->may_be_endless |= bms_is_member(param, context->statement->endless_params);', ';', 'join_snowflake'),
    one('a join hashes first whose filter tests what others keep', PLACES, 'context->result->hash_first = true;', ';', 'join_snowflake'),
    one('values that lie together are counted where the outer side has values', SELECTIVITY,
        'Max(sides->outer.distinct, values_in_range(inner, &sides->outer))', 'sides->outer.distinct', 'join_costs'),
    one('filters of joins above leave fewer rows to be hashed', CANDIDATES, 'result *= candidate->estimate.pass;', ';', 'join_snowflake'),
    one('a small table is tested for the many rows of the join above', GAIN,
        'Max(descent->rows, outer->plan_rows)', 'descent->rows', 'join_snowflake'),
    one('a partition that is skipped was looked at', SKIP,
        'PredicateLockRelation(child_of(skip)->ss_currentRelation, estate_of(skip)->es_snapshot);', '', 'isolation'),
    one('blocks that are skipped were looked at', SKIP,
        'PredicateLockRelation(child->ss_currentRelation, estate_of(skip)->es_snapshot);', '', 'isolation'),
    one('a row that is not in the index yet is a conflict', SUMMARIES,
        'PredicateLockRelation(summaries->index, snapshot);', '', 'isolation'),
    one('the primary summarizes what no snapshot of its own sees', SUMMARIES,
        'if (snapshot->takenDuringRecovery)\n\t\treturn false;', '', '018_join_skip'),
    one('an index must not be partial', SKIPPING, 'heap_attisnull(index->rd_indextuple, Anum_pg_index_indpred, NULL);', 'true;',
        'join_skip'),
    one('an index keeps the lowest and the highest value', SKIPPING,
        'index_getprocid(index, (AttrNumber) (i + 1), BRIN_PROCNUM_OPCINFO) != F_BRIN_MINMAX_OPCINFO ||', '', 'join_skip'),
    one('the collation of an index is that of the join', SKIPPING, 'index->rd_indcollation[i] != column->collation ||', '', 'join_skip'),
    one('the setting is asked again when the plan runs', SKIP, 'if (!bf_join_skip || estate_of', 'if (estate_of', 'join_skip'),
    one('what is not summarised is read', SUMMARIES, '* reading->pages_per_range))\n\t\treturn true;',
        '* reading->pages_per_range))\n\t\treturn false;', 'join_skip'),
    one('a range of NULL is skipped', SUMMARIES, 'if (values->bv_allnulls)\n\t\treturn false;', 'if (values->bv_allnulls)\n\t\treturn true;',
        'join_skip'),
    one('several indexes: what any of them excludes', PAGES, 'for (i = 0; i < reader->nmaps; i++)', 'for (i = 0; i < reader->nmaps && i < 1; i++)',
        'join_skip'),
    one('short gaps are read', PAGES, '#define MAX_READ_GAP\t4', '#define MAX_READ_GAP\t0', 'join_skip'),
    one('a run ends at its gap', PAGES, 'gap <= MAX_READ_GAP && reader->next < reader->npages', 'false', 'join_skip'),
    one('a range begins with its lower bound', BOUNDS,
        'section->first = find_interval(section, &bound->function, value, false, false);',
        'section->first = find_interval(section, &bound->function, value, false, true);', 'join_skip'),
    one('a range ends before its upper bound', BOUNDS, 'section->end = find_interval(section, &bound->function, value, true, false);',
        'section->end = find_interval(section, &bound->function, value, true, true);', 'join_skip'),
    one('the hash of a partition is known of single keys only', BOUNDS, 'if (!section->set->exact)\n\t\treturn true;', '', 'join_skip'),
    one('after too many keys that are compared by call nothing is known', KEYSET, 'set->added > MAX_CALLED_KEYS || ', '', 'join_skip'),
    one('of many integers, bits are kept', KEYSET, 'else\n\t\ttake_runs(set);', 'else\n\t\tset->unknown = true;', 'join_skip'),
    one('bits become coarse when integers are far apart', BITMAP, 'widen(bitmap, shift);', '{}', 'join_skip'),
    one('keys are gathered on when the filter gives up', BUILD, 'else if (build->phase == BF_JOIN_BUILD_GIVEN_UP && build->keysets == NULL)',
        'else if (build->phase == BF_JOIN_BUILD_GIVEN_UP)', 'join_skip'),
    one("a participant's keys count before it is done", SHARED, 'bf_keys_read(filter->keys[i], key_slot(shared, j, i));',
        'if (j == 0) bf_keys_read(filter->keys[i], key_slot(shared, j, i));', 'join_skip'),

    # index lookups
    one('a scan that returns few rows may skip many', GAIN, '(skipped_cost > 0 && skipped_cost >=', '(false && skipped_cost >=',
        'join_skip', 'join_lookups'),
    one('a query with lookups is planned without them', LOOKUPS, '!is_cheaper(other, cursor_options, cost)', 'true',
        'join_lookups'),
    one('what filters save is subtracted', EXPECTED, 'result -= gain;', ';', 'join_lookups'),
    one('lookups cost more if more rows have a match than expected', EXPECTED, 'return candidate->estimate.more_rows;', 'return 1;', 'join_lookups'),
    one('an index scan may choose the hashed values, too', SELECTIVITY, 'if (IsA(scan, IndexOnlyScan))', 'if (false)', 'join_lookups'),
    one('filters save less where few rows are wanted', EXPECTED, 'if (candidate->wants_few_rows)', 'if (false)', 'join_lookups'),
    one('scattered keys let less be skipped', EXPECTED, 'candidate->added_gain - doubtful_gain(statement, candidate)', 'candidate->added_gain',
        'join_lookups'),
    one('keys that lie together let more be skipped', EXPECTED,
        'skipped == 0 || bf_join_lies_together(statement->stmt, candidate->join, lfirst(lk))', 'skipped == 0', 'join_lookups'),
    one('volatile functions are called for what is looked up', LOOKUPS, ' || calls_may_differ(copy))', ')', 'join_lookups'),
    one('nor for less in a sub-select of the select list', LOOKUPS,
        'if (query->hasSubLinks)\n\t\treturn contain_volatile_functions((Node *) query);', '', 'join_lookups'),
    one('no table is read again for each row', LOOKUPS, 'effort_of(other).rescan > Max(effort->rescan, SMALL_RESCAN) ||', '',
        'join_lookups'),
    one('nor in the recursive part of a query', LOOKUPS, ' || root->non_recursive_path != NULL', '', 'join_lookups'),
    one('what the planner runs meanwhile is planned once', LOOKUPS, 'planning.again ||', '', 'join_lookups'),
    one('what runs again looks its rows up', LOOKUPS, ' || runs_again(root))', ')', 'join_lookups'),
    one('columns that LATERAL refers to are needed by all paths', LOOKUPS, 'if (others != NIL)', 'if (true)', 'join_lookups'),
    one('queries that the planner runs are planned as they are', LOOKUPS,
        'return plan_as(as_is, BF_PLANNER_ARGUMENTS, planner);', 'return planner(BF_PLANNER_ARGUMENTS);', 'join_lookups'),
    one('a setting leaves the choice to the planner', LOOKUPS, 'if (!bf_join_replan || bf_join_filters', 'if (bf_join_filters', 'join_lookups'),
    one('"force" adds filters to the plan that the planner makes', LOOKUPS, 'bf_join_filters == BF_JOIN_FILTERS_FORCE ||', '', 'join_lookups'),
)


def apply(mutation, source):
    """Changes the files; says which piece is not there just once."""
    for path, old, new in mutation.changes:
        file = Path(source) / path
        text = file.read_text(encoding='utf-8')
        if text.count(old) != 1:
            raise SystemExit(f'{path}: {text.count(old)} times: {old}')
        file.write_text(text.replace(old, new), encoding='utf-8')


def main():
    """list: the rules and their tests, tab-separated; or apply NUMBER SOURCE."""
    if sys.argv[1:] == ['list']:
        for mutation in MUTATIONS:
            print(mutation.rule, *mutation.tests, sep='\t')
    else:
        _, number, source = sys.argv[1:]
        apply(MUTATIONS[int(number)], source)


if __name__ == '__main__':
    main()
