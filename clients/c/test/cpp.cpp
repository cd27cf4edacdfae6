/*-------------------------------------------------------------------------
 *
 * cpp.cpp
 *		The header in C++: a filter that is made before main(), owned by a
 *		smart pointer, and filled by threads of which each has its own.
 *
 *-------------------------------------------------------------------------
 */
#include "pgbloomfilter.h"

#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tap.h"

namespace
{

struct Free
{
	void operator()(pgbf_filter *filter) const { pgbf_free(filter); }
	void operator()(char *memory) const { pgbf_release(memory); }
};

using Filter = std::unique_ptr<pgbf_filter, Free>;
using Text = std::unique_ptr<char, Free>;

const int THREADS = 4;
const int VALUES = 10000;

/* The library has no constructor that might come later. */
Filter early(pgbf_create(VALUES, 0.01, 0, nullptr));

bool
add(const Filter &filter, const std::string &value)
{
	return pgbf_add_bytes(filter.get(), PGBF_TEXT, value.data(), value.size(), nullptr);
}

int
has(const Filter &filter, const std::string &value)
{
	return pgbf_has_bytes(filter.get(), PGBF_TEXT, value.data(), value.size(), nullptr);
}

void
check_threads()
{
	std::vector<Filter> parts(THREADS);
	std::vector<int> missed(THREADS);
	std::vector<std::thread> threads;
	Filter		whole(pgbf_create(VALUES, 0.01, 0, nullptr));

	for (int t = 0; t < THREADS; t++)
		threads.emplace_back([&parts, t] {
			parts[t].reset(pgbf_create(VALUES, 0.01, 0, nullptr));
			for (int i = t; i < VALUES; i += THREADS)
				add(parts[t], "value " + std::to_string(i));
		});
	for (auto &thread : threads)
		thread.join();
	for (auto &part : parts)
		CHECK(pgbf_unite(whole.get(), part.get(), nullptr));

	/* all of them read one */
	threads.clear();
	for (int t = 0; t < THREADS; t++)
		threads.emplace_back([&whole, &missed, t] {
			for (int i = 0; i < VALUES; i++)
				missed[t] += has(whole, "value " + std::to_string(i)) != 1;
		});
	for (auto &thread : threads)
		thread.join();
	for (int t = 0; t < THREADS; t++)
		CHECK(missed[t] == 0);

	for (int i = 0; i < VALUES; i++)
		add(early, "value " + std::to_string(i));
	CHECK(pgbf_equal(whole.get(), early.get(), nullptr) == 1);
	tap_group("C++: threads", 9);
}

void
check_ownership()
{
	Filter		filter(pgbf_create(10, 0.01, 0, nullptr));
	Text		text;

	CHECK(add(filter, u8"Z\u00fcrich"));
	text.reset(pgbf_to_text(filter.get(), nullptr, nullptr));
	Filter		again(pgbf_parse(text.get(), std::strlen(text.get()), nullptr));
	CHECK(has(again, u8"Z\u00fcrich") == 1 && has(again, "Basel") == 0);
	CHECK(pgbf_get_family(again.get()) == PGBF_TEXT);
	tap_group("C++: ownership", 3);
}

}

int
main()
{
	check_ownership();
	check_threads();
	return tap_status();
}
