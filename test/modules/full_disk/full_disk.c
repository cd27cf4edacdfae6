/*-------------------------------------------------------------------------
 *
 * full_disk.c
 *		A disk that is full, as a process sees it that preloads this (LD_PRELOAD):
 *		while there is a file FULL_DISK, the file that it names does not grow beyond
 *		the number of bytes that stands before the name.
 *
 * A file system that is full would need root.  It stands between the server and the
 * C library, so it includes nothing of the server.
 *
 *-------------------------------------------------------------------------
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static bool
is_same_file(int fd, const char *path)
{
	struct stat one;
	struct stat other;

	return fstat(fd, &one) == 0 && stat(path, &other) == 0 &&
		one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Is there no room for the file up to this byte? */
static bool
is_full(int fd, off_t end)
{
	const char *name = getenv("FULL_DISK");
	FILE	   *file = name == NULL ? NULL : fopen(name, "r");
	char		path[4096];
	long long	limit;
	bool		result;

	if (file == NULL)
		return false;
	result = fscanf(file, "%lld %4095s", &limit, path) == 2 && end > limit &&
		is_same_file(fd, path);
	fclose(file);
	if (result)
		errno = ENOSPC;
	return result;
}

static off_t
total(const struct iovec *parts, int count)
{
	off_t		result = 0;

	while (count-- > 0)
		result += (off_t) parts[count].iov_len;
	return result;
}

/* From 16 on, modules are compiled with hidden symbols. */
#pragma GCC visibility push(default)

/* The names that the C library has for off_t of 64 bits. */
ssize_t
pwrite64(int fd, const void *bytes, size_t count, off_t offset)
{
	ssize_t		(*next) (int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, "pwrite64");

	return is_full(fd, offset + (off_t) count) ? -1 : next(fd, bytes, count, offset);
}

ssize_t
pwritev64(int fd, const struct iovec *parts, int count, off_t offset)
{
	ssize_t		(*next) (int, const struct iovec *, int, off_t) = dlsym(RTLD_NEXT, "pwritev64");

	return is_full(fd, offset + total(parts, count)) ? -1 : next(fd, parts, count, offset);
}

int
posix_fallocate64(int fd, off_t offset, off_t length)
{
	int			(*next) (int, off_t, off_t) = dlsym(RTLD_NEXT, "posix_fallocate64");

	return is_full(fd, offset + length) ? ENOSPC : next(fd, offset, length);
}

ssize_t
pwrite(int fd, const void *bytes, size_t count, off_t offset)
{
	return pwrite64(fd, bytes, count, offset);
}

ssize_t
pwritev(int fd, const struct iovec *parts, int count, off_t offset)
{
	return pwritev64(fd, parts, count, offset);
}

int
posix_fallocate(int fd, off_t offset, off_t length)
{
	return posix_fallocate64(fd, offset, length);
}

#pragma GCC visibility pop
