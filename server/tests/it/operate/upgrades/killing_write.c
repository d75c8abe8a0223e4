/* Kills the process in the middle of a write to the file whose path contains $KILLING_PATH, after $KILLING_WRITES whole ones.
   Preloaded into the service by a test. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_last(int file)
{
    static long seen;
    char link[64], path[PATH_MAX] = "";
    const char *part = getenv("KILLING_PATH"), *writes = getenv("KILLING_WRITES");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (!part || !writes || readlink(link, path, sizeof path - 1) < 0 || !strstr(path, part))
        return 0;
    return __atomic_fetch_add(&seen, 1, __ATOMIC_SEQ_CST) >= atol(writes);
}

ssize_t write(int file, const void *bytes, size_t count)
{
    ssize_t (*next)(int, const void *, size_t) = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, "write");
    if (is_last(file)) {
        next(file, bytes, count / 2);
        raise(SIGKILL);
    }
    return next(file, bytes, count);
}

static ssize_t positioned(const char *name, int file, const void *bytes, size_t count, off_t at)
{
    ssize_t (*next)(int, const void *, size_t, off_t) = (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, name);
    if (is_last(file)) {
        next(file, bytes, count / 2, at);
        raise(SIGKILL);
    }
    return next(file, bytes, count, at);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return positioned("pwrite", file, bytes, count, at); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off_t at) { return positioned("pwrite64", file, bytes, count, at); }
