/* Makes fsync and fdatasync fail with EIO, for as long as the file is there that $FAILING_SYNC names. Its line is a part
   of the paths that are to fail, and how many syncs of them go well before. Preloaded into the service by a test. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_to_fail(int file)
{
    static int seen;
    char part[256] = "", link[64], path[PATH_MAX] = "";
    int good = 0;
    const char *name = getenv("FAILING_SYNC");
    FILE *order = name ? fopen(name, "r") : NULL;
    if (!order) {
        seen = 0;
        return 0;
    }
    if (fscanf(order, "%255s %d", part, &good) < 1)
        part[0] = '\0';
    fclose(order);
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    if (part[0] == '\0' || readlink(link, path, sizeof path - 1) < 0 || !strstr(path, part))
        return 0;
    return seen++ >= good;
}

static int synced(const char *name, int file)
{
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    if (is_to_fail(file)) {
        errno = EIO;
        return -1;
    }
    return next(file);
}

int fsync(int file) { return synced("fsync", file); }
int fdatasync(int file) { return synced("fdatasync", file); }
