"""What goes wrong when a rule of join filters is taken out, and which test sees it.

A mutation is a piece of the source, in the place of which another one stands;
the piece must be there exactly once.  See script/mutate.
"""
import sys
from dataclasses import dataclass
from pathlib import Path

SPEC = 'src/joins/spec.c'
STATEMENT = 'src/joins/planning/statement.c'
STABILITY = 'src/joins/planning/stability.c'
KEYS = 'src/joins/planning/keys.c'
STEPS = 'src/joins/planning/steps.c'
PLACES = 'src/joins/planning/places.c'
SELECTIVITY = 'src/joins/planning/selectivity.c'
CANDIDATES = 'src/joins/planning/candidates.c'
CHOICE = 'src/joins/planning/choice.c'
PLAN = 'src/joins/planning/plan.c'
BUILD = 'src/joins/execution/build.c'
SHARED = 'src/joins/execution/shared.c'
PROBE = 'src/joins/execution/probe.c'
GATHER = 'src/joins/execution/gather.c'
NODE = 'src/joins/execution/node.c'


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
    one('LEFT joins have no filter', CANDIDATES, 'type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT',
        'type == JOIN_INNER || type == JOIN_LEFT || type == JOIN_SEMI || type == JOIN_RIGHT', 'join_rules', 'random'),
    one('FULL joins have no filter', CANDIDATES, 'type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT',
        'type == JOIN_INNER || type == JOIN_FULL || type == JOIN_SEMI || type == JOIN_RIGHT', 'join_rules', 'random'),
    one('ANTI joins have no filter', CANDIDATES, 'type == JOIN_INNER || type == JOIN_SEMI || type == JOIN_RIGHT',
        'type == JOIN_INNER || type == JOIN_ANTI || type == JOIN_SEMI || type == JOIN_RIGHT', 'join_rules'),
    one('RIGHT joins have one', CANDIDATES, 'type == JOIN_SEMI || type == JOIN_RIGHT', 'type == JOIN_SEMI', 'join_rules'),
    one('SEMI joins have one', CANDIDATES, 'type == JOIN_SEMI || type == JOIN_RIGHT', 'type == JOIN_RIGHT', 'join_rules'),
    one('the Hash depends on no parameter', CANDIDATES, 'return bms_is_subset(hash->extParam, harmless);', 'return true;', 'join_rules'),
    one("nor do the Hash's own keys", CANDIDATES, 'return bms_is_subset(hash->extParam, harmless);',
        'return bms_is_subset(outerPlan(hash)->extParam, harmless);', 'join_rules'),
    one('but it may on the value of a constant sub-select', CANDIDATES, 'Bitmapset  *harmless = statement->constant_params;',
        'Bitmapset  *harmless = NULL;', 'join_rules'),
    one("and on a Gather's", CANDIDATES, 'harmless = bms_union(harmless, statement->gather_params);', ';', '010_join_filters'),
    one('what is hashed is not volatile', CANDIDATES, 'return bf_join_stability(statement, hash) == BF_JOIN_VOLATILE ?',
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
    one('or by a column in the same order', SELECTIVITY, 'fabs(slot.numbers[0]) >= IN_ORDER', 'false', 'join_costs'),
    one('but by no other', SELECTIVITY, 'fabs(slot.numbers[0]) >= IN_ORDER', 'true', 'join_costs'),
    one('a partitioned table has statistics of its own', SELECTIVITY, 'BoolGetDatum(column->scan == NULL)', 'BoolGetDatum(false)',
        'join_costs'),
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
    one('nor where another key of the join is volatile', CANDIDATES,
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
    one('hash functions of both sides may fail', KEYS, 'is_harmless(left) && is_harmless(right);', 'is_harmless(left);', 'join_rules'),
    one('below groups, not switched off once many rows were dropped', PROBE,
        'if (pf->spec.groups == BF_JOIN_GROUPS_NONE || pf->filter->dropped_rows <= MAX_DROPPED_ROWS)', 'if (true)', 'join_groups'),
    one('what was dropped before goes on to be dropped', PROBE, 'filter->groups_off && !was_dropped(filter, has_key, hash)',
        'filter->groups_off', 'join_groups'),
    one('so is NULL', PROBE, '\t\tfilter->dropped_null = true;\n', '', 'join_groups'),
    one('in several tables: switched off in all of them', PROBE, 'if (filter->groups_off && !was', 'if (pf->off_count > 0 && !was',
        'join_groups'),
    one('a filter does not begin within a group', PROBE,
        'pf->in_group ? BF_JOIN_PROBE_WAITING_FOR_GROUP : BF_JOIN_PROBE_TESTING', 'BF_JOIN_PROBE_TESTING', 'join_groups'),
    one('a filter that comes late: only where groups are in order', PLACES,
        'groups_above_child(context, step) == BF_JOIN_GROUPS_SCATTERED', 'false', 'join_groups'),
    one('a Parallel Hash is filled first in parallel mode only', CANDIDATES, 'return join->join.jointype != JOIN_RIGHT &&',
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
    one('every key is in the filter', GATHER, '\tgather->count++;\n\treturn true;',
        '\tgather->count++;\n\tif (gather->count > 10) chunk->count--;\n\treturn true;', 'join_rules', '010_join_filters'),
    one('too many keys: no filter', BUILD, '\t\tgive_up(build);\n}\n\n/* All rows', '\t\t;\n}\n\n/* All rows', '010_join_filters'),
    one('Parallel Hash: participants share the filter', PLAN,
        'build->scan.plan.parallel_aware = hash->parallel_aware;', ';', '010_join_filters'),
    one('Parallel Hash: each adds its keys', BUILD, '(void) bf_join_shared_merge(build->filter.shared, &build->gather);', ';',
        '010_join_filters', 'random'),
    one('Parallel Hash: what was given up is not used', SHARED, 'if (filter->blocks != NULL || bf_join_shared_is_given_up(shared))',
        'if (filter->blocks != NULL)', '010_join_filters'),
    Mutation('EvalPlanQual: not a filter of another EState', (
        (PROBE, ' || filter->owner != probe->css.ss.ps.state', ''),
        (CANDIDATES, 'return bms_is_subset(hash->extParam, harmless);', 'return true;')), ('isolation',)),
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
