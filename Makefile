# bloomfilter: Bloom filters as a PostgreSQL data type
#
#	make && make install && make installcheck
#	make dist
#
# builds against the server that pg_config on the PATH belongs to; another one
# is chosen with PG_CONFIG=/path/to/pg_config.

EXTENSION = bloomfilter
DATA = bloomfilter--1.0.0.sql
MODULE_big = bloomfilter

OBJS = \
	src/bf_agg.o \
	src/bf_blocks.o \
	src/bf_expanded.o \
	src/bf_format.o \
	src/bf_hash.o \
	src/bf_hashset.o \
	src/bf_info.o \
	src/bf_io.o \
	src/bf_memory.o \
	src/bf_module.o \
	src/bf_ops.o \
	src/bf_own_hash.o \
	src/bf_params.o \
	src/bf_set.o \
	src/bf_sizing.o \
	src/bf_support.o \
	src/bf_text.o \
	src/bf_toast.o \
	src/bf_view.o

TREE_HEADERS = $(wildcard $(srcdir)/src/*.h)

# The order is that of the reader: the first test creates the extension.
REGRESS = \
	install \
	aggregate \
	cardinality \
	corrupt \
	cross_family \
	encodings \
	equal_types \
	golden \
	immutable_args \
	in_place \
	io \
	jit \
	limits \
	literals \
	mismatch \
	model \
	nulls \
	parallel \
	partial_state \
	planner \
	rates \
	real_data \
	refused_types \
	server_features \
	setops \
	shard \
	sizing \
	stored \
	type_changes \
	window

REGRESS_OPTS = --inputdir=$(srcdir) --load-extension=bloomfilter

PG_CFLAGS = -fvisibility=hidden
SHLIB_LINK = -lm

PG_CONFIG ?= pg_config
PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# Loops over whole filters: what the server does for its page checksums.
src/bf_blocks.o: CFLAGS += $(CFLAGS_UNROLL_LOOPS) $(CFLAGS_VECTORIZE)

# PGXS knows no dependencies on headers; there are few enough to rebuild all.
$(OBJS): $(TREE_HEADERS)
$(OBJS:.o=.bc): $(TREE_HEADERS)

# Out of the tree (make -f SRC/Makefile in another directory) the directory of
# the objects has to be made.  An absolute name, so that VPATH does not find
# the one that the sources are in.
$(OBJS) $(OBJS:.o=.bc): | $(CURDIR)/src
$(CURDIR)/src:
	$(MKDIR_P) $@

# What is committed, as PGXN takes it: bloomfilter-VERSION.zip.
VERSION = $(shell sed -n "s/^default_version = '\(.*\)'$$/\1/p" $(srcdir)/bloomfilter.control)
.PHONY: dist
dist:
	git -C $(srcdir) archive --format=zip --prefix=bloomfilter-$(VERSION)/ \
		--output=$(CURDIR)/bloomfilter-$(VERSION).zip HEAD
