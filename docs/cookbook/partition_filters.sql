-- A counting filter for each partition of a table, kept exactly in step with the
-- rows.  docs/cookbook/partitions.md says how to use it, what it costs and what
-- it does not see.
--
-- Example: the table "parcels", partitioned by "day" and searched by "id".  For
-- your table, replace the names parcels and parcel, the column id, its type
-- bigint, the columns that find_parcel returns, and the schema public; and
-- replace 10000, which is the number of ids that a partition holds.

-- The table to search.  Leave this out if you have it.
CREATE TABLE parcels (id bigint NOT NULL, day date NOT NULL, note text, PRIMARY KEY (id, day)) PARTITION BY RANGE (day);
CREATE TABLE parcels_jan PARTITION OF parcels FOR VALUES FROM ('2026-01-01') TO ('2026-02-01');
CREATE TABLE parcels_feb PARTITION OF parcels FOR VALUES FROM ('2026-02-01') TO ('2026-03-01');
CREATE TABLE parcels_rest PARTITION OF parcels DEFAULT;

CREATE TABLE parcel_filters (part regclass PRIMARY KEY, ids counting_bloomfilter NOT NULL);

-- The trigger function.  Triggers for each statement see all rows that the
-- statement changed, by INSERT, UPDATE, DELETE, MERGE, COPY or ON CONFLICT.  A
-- statement fires the triggers of the table that it names and of no other table.
-- So every table of the partition tree has these triggers.  On a table that has
-- partitions, the partitions' own constraints say which partition a row is in.
CREATE FUNCTION parcels_changed() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  place text := TG_RELID || '::regclass';     -- of a row, as an expression: its partition
  rows text;
  change record;
BEGIN
  IF TG_OP = 'TRUNCATE' THEN
    UPDATE parcel_filters SET ids = bloom_create_like(ids) WHERE part = TG_RELID;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'this transaction does not see the filter of partition %', TG_RELID::regclass
        USING ERRCODE = 'serialization_failure', HINT = 'The partition is new. Try the transaction again.';
    END IF;
    RETURN NULL;
  END IF;
  IF TG_RELID NOT IN (SELECT relid FROM pg_partition_tree(TG_RELID) WHERE isleaf) THEN
    SELECT format('CASE %s END',
                  string_agg(format('WHEN %s THEN %s::regclass',
                                    coalesce(pg_get_partition_constraintdef(relid), 'true'), relid::oid), ' '))
      INTO place FROM pg_partition_tree(TG_RELID) WHERE isleaf;
  END IF;
  rows := concat_ws(' UNION ALL ',
                    CASE WHEN TG_OP <> 'DELETE' THEN format('SELECT %s AS place, id, 1 AS n FROM added', place) END,
                    CASE WHEN TG_OP <> 'INSERT' THEN format('SELECT %s AS place, id, -1 AS n FROM removed', place) END);
  -- what is left of both, by partition, and always in the same order
  FOR change IN EXECUTE format(
    'SELECT place, array_agg(id) FILTER (WHERE n > 0) AS added, array_agg(id) FILTER (WHERE n < 0) AS removed
       FROM (SELECT place, id, sum(n) AS n FROM (%s) r GROUP BY place, id) s, generate_series(1, abs(n))
      GROUP BY place ORDER BY place', rows)
  LOOP
    UPDATE parcel_filters SET ids = bloom_add_all(bloom_remove_all(ids, change.removed), change.added)
     WHERE part = change.place;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'this transaction does not see the filter of partition %', change.place
        USING ERRCODE = 'serialization_failure', HINT = 'The partition is new. Try the transaction again.';
    END IF;
  END LOOP;
  RETURN NULL;
END $$;

-- Gives triggers and a filter to new partitions, and takes them from those that
-- were detached or dropped.  Call it after each statement that makes, attaches,
-- detaches or drops a partition, in the same transaction.
CREATE FUNCTION sync_parcel_filters() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  t record;
BEGIN
  -- what has gone
  FOR t IN SELECT tgrelid::regclass AS name, tgname FROM pg_trigger
            WHERE tgfoid = 'parcels_changed'::regproc
              AND tgrelid NOT IN (SELECT relid FROM pg_partition_tree(to_regclass('parcels')))
  LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.name);
  END LOOP;
  DELETE FROM parcel_filters
   WHERE part NOT IN (SELECT relid FROM pg_partition_tree(to_regclass('parcels')) WHERE isleaf);

  -- what is new: the triggers lock out writers, then the filter is built
  FOR t IN SELECT relid AS name, isleaf FROM pg_partition_tree(to_regclass('parcels'))
            WHERE relid NOT IN (SELECT tgrelid FROM pg_trigger WHERE tgfoid = 'parcels_changed'::regproc)
               OR isleaf AND relid NOT IN (SELECT part FROM parcel_filters)
  LOOP
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      RAISE EXCEPTION 'partitions of parcels can be added in READ COMMITTED only'
        USING ERRCODE = 'feature_not_supported';
    END IF;
    EXECUTE format('CREATE OR REPLACE TRIGGER filter_insert AFTER INSERT ON %s
                      REFERENCING NEW TABLE AS added
                      FOR EACH STATEMENT EXECUTE FUNCTION parcels_changed()', t.name);
    EXECUTE format('CREATE OR REPLACE TRIGGER filter_update AFTER UPDATE ON %s
                      REFERENCING NEW TABLE AS added OLD TABLE AS removed
                      FOR EACH STATEMENT EXECUTE FUNCTION parcels_changed()', t.name);
    EXECUTE format('CREATE OR REPLACE TRIGGER filter_delete AFTER DELETE ON %s
                      REFERENCING OLD TABLE AS removed
                      FOR EACH STATEMENT EXECUTE FUNCTION parcels_changed()', t.name);
    IF t.isleaf THEN
      EXECUTE format('CREATE OR REPLACE TRIGGER filter_truncate AFTER TRUNCATE ON %s
                        FOR EACH STATEMENT EXECUTE FUNCTION parcels_changed()', t.name);
      EXECUTE format('INSERT INTO parcel_filters
                        SELECT $1, coalesce(counting_bloom_agg(id, 10000), counting_bloom_create(10000))
                          FROM %s', t.name) USING t.name;
    END IF;
  END LOOP;
END $$;

-- Calls it after each such statement.  Only a superuser can make an event
-- trigger.
CREATE FUNCTION parcels_ddl() RETURNS event_trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM sync_parcel_filters();
END $$;
CREATE EVENT TRIGGER parcels_ddl ON ddl_command_end WHEN TAG IN ('CREATE TABLE', 'ALTER TABLE', 'DROP TABLE')
  EXECUTE FUNCTION parcels_ddl();

-- Searches the partitions whose filter does not say no.  It does not look for
-- filters that say yes: a partition that was attached after the reader's snapshot
-- was taken has no filter that the reader can see, but may have rows.
CREATE FUNCTION find_parcel(wanted bigint) RETURNS TABLE (part regclass, day date, note text)
LANGUAGE plpgsql STABLE AS $$
BEGIN
  FOR part IN SELECT relid FROM pg_partition_tree('parcels') WHERE isleaf
              EXCEPT SELECT f.part FROM parcel_filters f WHERE NOT ids @> wanted
  LOOP
    RETURN QUERY EXECUTE format('SELECT %1$L::regclass, day, note FROM %1$s WHERE id = $1', part) USING wanted;
  END LOOP;
END $$;

DO 'BEGIN PERFORM sync_parcel_filters(); END';
