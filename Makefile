# bloomfilter: Bloom filters as a PostgreSQL data type
#
#	make && make install && make installcheck
#	make dist
#	make web
#
# builds against the server that pg_config on the PATH belongs to; another one
# is chosen with PG_CONFIG=/path/to/pg_config.

EXTENSION = bloomfilter
DATA = bloomfilter--1.0.0.sql
MODULE_big = bloomfilter

OBJS = \
	src/core/base64.o \
	src/core/blocks.o \
	src/core/combine.o \
	src/core/data.o \
	src/core/estimate.o \
	src/core/format.o \
	src/core/name.o \
	src/core/shrink.o \
	src/core/sizing.o \
	src/core/text.o \
	src/core/wire.o \
	src/type/hashing/callsite.o \
	src/type/hashing/compatible.o \
	src/type/hashing/conversion.o \
	src/type/hashing/declared.o \
	src/type/hashing/element.o \
	src/type/hashing/environment.o \
	src/type/hashing/generation.o \
	src/type/hashing/hasher.o \
	src/type/hashing/own_hash.o \
	src/type/hashing/symbol.o \
	src/type/memory/arrays.o \
	src/type/memory/blocks.o \
	src/type/memory/expanded.o \
	src/type/memory/flat.o \
	src/type/memory/hashlog.o \
	src/type/memory/hashset.o \
	src/type/memory/lifetime.o \
	src/type/memory/plain.o \
	src/type/sql/add_new.o \
	src/type/sql/aggregate.o \
	src/type/sql/build.o \
	src/type/sql/change.o \
	src/type/sql/compare.o \
	src/type/sql/contains.o \
	src/type/sql/info.o \
	src/type/sql/io.o \
	src/type/sql/params.o \
	src/type/sql/setops.o \
	src/type/sql/shrink.o \
	src/type/sql/value.o \
	src/type/stored/cache.o \
	src/type/stored/search.o \
	src/type/stored/toast.o \
	src/type/stored/view.o \
	src/counting/cast.o \
	src/counting/changes.o \
	src/counting/count_map.o \
	src/counting/counters.o \
	src/counting/functions.o \
	src/counting/info.o \
	src/counting/refuse.o \
	src/counting/remove.o \
	src/counting/sum.o \
	src/estimates/column.o \
	src/estimates/cost.o \
	src/estimates/expression.o \
	src/estimates/filter.o \
	src/estimates/once.o \
	src/estimates/selectivity.o \
	src/estimates/support.o \
	src/evidence/arm.o \
	src/evidence/clock.o \
	src/evidence/counts.o \
	src/evidence/periods.o \
	src/evidence/report_counts.o \
	src/evidence/report_trials.o \
	src/evidence/store.o \
	src/evidence/table.o \
	src/evidence/trial.o \
	src/evidence/verdict.o \
	src/joins/choice/bounds.o \
	src/joins/choice/candidates.o \
	src/joins/choice/gain.o \
	src/joins/choice/indexes.o \
	src/joins/choice/lineage.o \
	src/joins/choice/outcome.o \
	src/joins/choice/selectivity.o \
	src/joins/choice/skipping.o \
	src/joins/choice/statistics.o \
	src/joins/hooks/columns.o \
	src/joins/hooks/effort.o \
	src/joins/hooks/hooks.o \
	src/joins/hooks/plan.o \
	src/joins/keys/hash.o \
	src/joins/keys/probe_key.o \
	src/joins/ranges/bitmap.o \
	src/joins/ranges/bounds.o \
	src/joins/ranges/intervals.o \
	src/joins/ranges/keyset.o \
	src/joins/ranges/lookup.o \
	src/joins/ranges/maps.o \
	src/joins/ranges/pages.o \
	src/joins/ranges/summaries.o \
	src/joins/remote/conditions.o \
	src/joins/remote/estimate.o \
	src/joins/remote/find.o \
	src/joins/remote/remote.o \
	src/joins/remote/rules.o \
	src/joins/rules/keys.o \
	src/joins/rules/nodes.o \
	src/joins/rules/places.o \
	src/joins/rules/reasons.o \
	src/joins/rules/sides.o \
	src/joins/rules/stability.o \
	src/joins/rules/statement.o \
	src/joins/rules/steady.o \
	src/joins/rules/steps.o \
	src/joins/run/batch.o \
	src/joins/run/build.o \
	src/joins/run/explain.o \
	src/joins/run/first.o \
	src/joins/run/handover.o \
	src/joins/run/hash_buffer.o \
	src/joins/run/node.o \
	src/joins/run/phase.o \
	src/joins/run/probe.o \
	src/joins/run/shared.o \
	src/joins/run/skip.o \
	src/joins/tell/describe.o \
	src/joins/tell/loops.o \
	src/joins/tell/status.o \
	src/joins/tell/why.o \
	src/joins/spec.o \
	src/index/cost.o \
	src/index/ddl/hook.o \
	src/index/file/attempt.o \
	src/index/file/directory.o \
	src/index/file/fill.o \
	src/index/file/hash.o \
	src/index/file/horizon.o \
	src/index/file/keys.o \
	src/index/file/meta.o \
	src/index/file/options.o \
	src/index/file/page.o \
	src/index/file/sizes.o \
	src/index/file/table.o \
	src/index/file/table_hash.o \
	src/index/handler.o \
	src/index/key_cost.o \
	src/index/layout.o \
	src/index/rates.o \
	src/index/read/match.o \
	src/index/read/query.o \
	src/index/read/scan.o \
	src/index/read/search.o \
	src/index/read/stream.o \
	src/index/read/table_match.o \
	src/index/read/third_level.o \
	src/index/tell/check.o \
	src/index/tell/filter.o \
	src/index/tell/health.o \
	src/index/tell/info.o \
	src/index/tell/open.o \
	src/index/tell/summary.o \
	src/index/validate.o \
	src/index/upkeep/cover.o \
	src/index/upkeep/plan.o \
	src/index/upkeep/rebuild.o \
	src/index/upkeep/rows.o \
	src/index/upkeep/table_rebuild.o \
	src/index/upkeep/vacuum.o \
	src/index/upkeep/warn.o \
	src/index/upkeep/window.o \
	src/index/write/bits.o \
	src/index/write/build.o \
	src/index/write/covers.o \
	src/index/write/gather.o \
	src/index/write/groups.o \
	src/index/write/insert.o \
	src/index/write/known.o \
	src/index/write/space.o \
	src/index/write/stable.o \
	src/index/write/table_build.o \
	src/index/write/table_insert.o \
	src/sets/add.o \
	src/sets/clear.o \
	src/sets/contains.o \
	src/sets/create.o \
	src/sets/direct.o \
	src/sets/filter.o \
	src/sets/head.o \
	src/sets/index.o \
	src/sets/rows.o \
	src/sets/set.o \
	src/module.o \
	src/settings.o

TREE_HEADERS = $(wildcard $(srcdir)/src/*.h $(srcdir)/src/*/*.h $(srcdir)/src/*/*/*.h)

# The order is that of the reader: the first test creates the extension.
REGRESS = \
	install \
	add_new \
	aggregate \
	cardinality \
	corrupt \
	counting \
	counting_aggregate \
	counting_io \
	counting_literals \
	counting_model \
	counting_stored \
	cross_family \
	encodings \
	equal_types \
	evidence \
	golden \
	hash_changes \
	immutable_args \
	in_place \
	index_changes \
	index_costs \
	index_counts \
	index_definitions \
	index_format \
	index_health \
	index_key_types \
	index_keys \
	index_queries \
	index_refused \
	index_sizes \
	index_table \
	index_types \
	index_third_level \
	index_upkeep \
	io \
	jit \
	join_costs \
	join_explain \
	join_gather \
	join_groups \
	join_hash_first \
	join_hidden_rows \
	join_merge \
	join_pages \
	join_repeats \
	join_reports \
	join_results \
	join_rules \
	join_skip \
	join_skip_groups \
	join_skip_keys \
	join_skip_lookups \
	large_sets \
	like \
	limits \
	literals \
	mismatch \
	mistakes \
	model \
	nulls \
	own_aggregates \
	parallel \
	partial_state \
	planner \
	rates \
	real_data \
	refused_types \
	routes \
	server_features \
	setops \
	sets \
	shard \
	shrink \
	sizing \
	stored \
	stored_cost \
	trials \
	type_changes \
	window

# Sessions that change rows under each other.
ISOLATION = concurrent_adds index_commits index_groups index_health_locks index_old_snapshots index_rebuild index_serializable index_table_rebuild join_epq join_locks join_serializable set_adds set_renamed skip_beside_writes stored_filters
ISOLATION_OPTS = --inputdir=$(srcdir) --load-extension=bloomfilter

REGRESS_OPTS = --inputdir=$(srcdir) --load-extension=bloomfilter

PG_CFLAGS = -fvisibility=hidden
PG_CPPFLAGS = -I$(srcdir)/src
SHLIB_LINK = -lm

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# Loops over whole filters: what the server does for its page checksums.
src/core/blocks.o src/type/memory/blocks.o src/counting/counters.o: CFLAGS += $(CFLAGS_UNROLL_LOOPS) $(CFLAGS_VECTORIZE)

# PGXS knows no dependencies on headers; there are few enough to rebuild all.
$(OBJS): $(TREE_HEADERS)
$(OBJS:.o=.bc): $(TREE_HEADERS)

# Users who are not superusers may load what is in plugins/, with LOAD or
# local_preload_libraries.  A link: the server loads a file once, by whatever
# name.
PLUGIN_DIRECTORY = $(DESTDIR)$(pkglibdir)/plugins
PLUGIN = $(PLUGIN_DIRECTORY)/$(MODULE_big)$(DLSUFFIX)

.PHONY: install-plugin uninstall-plugin
install: install-plugin
uninstall: uninstall-plugin
install-plugin:
	$(MKDIR_P) '$(PLUGIN_DIRECTORY)'
	ln -sf ../$(MODULE_big)$(DLSUFFIX) '$(PLUGIN)'
uninstall-plugin:
	rm -f '$(PLUGIN)'

# Out of the tree (make -f SRC/Makefile in another directory) the directories
# of the objects have to be made.  Absolute names, so that VPATH does not find
# the ones that the sources are in.
OBJECT_DIRS = $(addprefix $(CURDIR)/,$(sort $(patsubst %/,%,$(dir $(OBJS)))))
$(OBJS) $(OBJS:.o=.bc): | $(OBJECT_DIRS)
$(OBJECT_DIRS):
	$(MKDIR_P) $@

# A quick look after a change, on a running server: make smoke TESTS="io join_rules".
.PHONY: smoke
smoke: all install
	$(pg_regress_installcheck) $(REGRESS_OPTS) $(or $(TESTS),io setops index_queries join_rules)

# The page that shows a filter, with everything inside: see web/README.md.
.PHONY: web
web:
	$(srcdir)/script/web $(CURDIR)/bloomfilter.html

# What is committed, and the page, as PGXN takes it: bloomfilter-VERSION.zip.
# And the clients, packed: see script/pack-clients.
VERSION = $(shell sed -n "s/^default_version = '\(.*\)'$$/\1/p" $(srcdir)/bloomfilter.control)
.PHONY: dist
dist: web
	git -C $(srcdir) archive --format=zip \
		--prefix=bloomfilter-$(VERSION)/web/ --add-file=$(CURDIR)/bloomfilter.html \
		--prefix=bloomfilter-$(VERSION)/ \
		--output=$(CURDIR)/bloomfilter-$(VERSION).zip HEAD
	$(srcdir)/script/pack-clients $(CURDIR)
