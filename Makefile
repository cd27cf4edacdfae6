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
	src/type/add_new.o \
	src/type/aggregate.o \
	src/type/blocks.o \
	src/type/build.o \
	src/type/callsite.o \
	src/type/change.o \
	src/type/compare.o \
	src/type/compatible.o \
	src/type/contains.o \
	src/type/conversion.o \
	src/type/declared.o \
	src/type/element.o \
	src/type/environment.o \
	src/type/expanded.o \
	src/type/flat.o \
	src/type/generation.o \
	src/type/hasher.o \
	src/type/hashlog.o \
	src/type/hashset.o \
	src/type/info.o \
	src/type/io.o \
	src/type/lifetime.o \
	src/type/like.o \
	src/type/memory.o \
	src/type/own_hash.o \
	src/type/params.o \
	src/type/plain.o \
	src/type/setops.o \
	src/type/shrink.o \
	src/type/state.o \
	src/type/symbol.o \
	src/type/toast.o \
	src/type/toast_cache.o \
	src/type/toast_search.o \
	src/type/value.o \
	src/type/view.o \
	src/counting/cast.o \
	src/counting/changes.o \
	src/counting/count_map.o \
	src/counting/counters.o \
	src/counting/functions.o \
	src/counting/info.o \
	src/counting/remove.o \
	src/counting/sum.o \
	src/planner/column.o \
	src/planner/cost.o \
	src/planner/expression.o \
	src/planner/filter.o \
	src/planner/selectivity.o \
	src/planner/support.o \
	src/joins/execution/bitmap.o \
	src/joins/execution/blocks.o \
	src/joins/execution/bounds.o \
	src/joins/execution/build.o \
	src/joins/execution/explain.o \
	src/joins/execution/gather.o \
	src/joins/execution/handover.o \
	src/joins/execution/hash.o \
	src/joins/execution/intervals.o \
	src/joins/execution/keyset.o \
	src/joins/execution/node.o \
	src/joins/execution/probe.o \
	src/joins/execution/probe_key.o \
	src/joins/execution/shared.o \
	src/joins/execution/skip.o \
	src/joins/execution/summaries.o \
	src/joins/planning/bounds.o \
	src/joins/planning/candidates.o \
	src/joins/planning/choice.o \
	src/joins/planning/describe.o \
	src/joins/planning/eligible.o \
	src/joins/planning/expected.o \
	src/joins/planning/gain.o \
	src/joins/planning/keys.o \
	src/joins/planning/lookups.o \
	src/joins/planning/nodes.o \
	src/joins/planning/places.o \
	src/joins/planning/plan.o \
	src/joins/planning/reasons.o \
	src/joins/planning/remote.o \
	src/joins/planning/remote_estimate.o \
	src/joins/planning/remote_filter.o \
	src/joins/planning/remote_find.o \
	src/joins/planning/remote_list.o \
	src/joins/planning/remote_parts.o \
	src/joins/planning/remote_rules.o \
	src/joins/planning/selectivity.o \
	src/joins/planning/skipping.o \
	src/joins/planning/stability.o \
	src/joins/planning/statement.o \
	src/joins/planning/statistics.o \
	src/joins/planning/steps.o \
	src/joins/planning/why.o \
	src/joins/skips.o \
	src/joins/spec.o \
	src/joins/status.o \
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
	golden \
	hash_changes \
	immutable_args \
	in_place \
	io \
	jit \
	join_costs \
	join_filters \
	join_filters_explain \
	join_gather \
	join_groups \
	join_lookups \
	join_reasons \
	join_rules \
	join_skip \
	join_skip_groups \
	join_skip_rules \
	join_snowflake \
	join_visibility \
	large_sets \
	like \
	limits \
	literals \
	mismatch \
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
	shard \
	shrink \
	sizing \
	stored \
	stored_cost \
	type_changes \
	window

# Sessions that change rows under each other.
ISOLATION = concurrent_adds join_epq skip_beside_writes stored_filters
ISOLATION_OPTS = --inputdir=$(srcdir) --load-extension=bloomfilter

REGRESS_OPTS = --inputdir=$(srcdir) --load-extension=bloomfilter

PG_CFLAGS = -fvisibility=hidden
PG_CPPFLAGS = -I$(srcdir)/src
SHLIB_LINK = -lm

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# Loops over whole filters: what the server does for its page checksums.
src/core/blocks.o src/type/blocks.o src/counting/counters.o: CFLAGS += $(CFLAGS_UNROLL_LOOPS) $(CFLAGS_VECTORIZE)

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

# The page that shows a filter, with everything inside: see web/README.md.
.PHONY: web
web:
	$(srcdir)/script/web $(CURDIR)/bloomfilter.html

# What is committed, and the page, as PGXN takes it: bloomfilter-VERSION.zip.
VERSION = $(shell sed -n "s/^default_version = '\(.*\)'$$/\1/p" $(srcdir)/bloomfilter.control)
.PHONY: dist
dist: web
	git -C $(srcdir) archive --format=zip \
		--prefix=bloomfilter-$(VERSION)/web/ --add-file=$(CURDIR)/bloomfilter.html \
		--prefix=bloomfilter-$(VERSION)/ \
		--output=$(CURDIR)/bloomfilter-$(VERSION).zip HEAD
