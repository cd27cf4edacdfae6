"""What is counted of filters, and where that is kept."""
from mutation import one

MUTATIONS = (
    one('an execution is counted once, not by each worker', 'if (!IsParallelWorker()) { probe->counts.executions = 1;',
        'if (true) { probe->counts.executions = 1;', '026_evidence'),
    one('EXPLAIN alone counts nothing', 'if ((eflags & EXEC_FLAG_EXPLAIN_ONLY) != 0 || estate->es_epq_active != NULL) return; if (!IsParallelWorker',
        'if (estate->es_epq_active != NULL) return; if (!IsParallelWorker', 'evidence'),
    one('rows that joins return are of no table', 'else if (innerPlanState(node) != NULL) return InvalidOid;', '', 'evidence'),
    one('many keys are counted once in an execution', 'probe->counts.too_many_keys += !pf->had_too_many;', '', 'evidence'),
    one('skipped blocks are counted', '*reader->skipped += pages;', '', 'evidence'),
    one('skipped partitions are counted', 'skip->probe->counts.partitions_skipped++;', '', 'evidence'),
    one('all sessions see what one counts', 'share(found_store);', 'store = found_store;', '026_evidence'),
    one('the entry that was used last stays', 'if (entry != NULL) unlink_from_order(table, entry); else entry = make_entry(table, key); make_newest(table, entry);',
        'if (entry == NULL) { entry = make_entry(table, key); make_newest(table, entry); }', '026_evidence'),
    one('what goes is counted', 'table->evicted++;', '', '026_evidence'),
    one('a new entry begins at zero', 'memset(entry, 0, table->entry_bytes);', '', '026_evidence', 'evidence'),
    one('a database resets its own entries', 'if (entry->key.database == database) remove_entry(table, entry);', 'remove_entry(table, entry);',
        '026_evidence'),
    one('a database sees its own entries', 'if (entry->key.database == MyDatabaseId) result[(*count)++] = *(BfCountsEntry *) entry;',
        'result[(*count)++] = *(BfCountsEntry *) entry;', '026_evidence'),
    one('each search of an index is counted', 'search.counts->lookups++;', 'search.counts->lookups = 1;', 'evidence'),
)
