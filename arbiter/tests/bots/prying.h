/*
 * What faulty.c tries against what processes share: clocks, limits and scheduling of others, paths, the standard files,
 * timers, filters, and what the process that bots are copied from may do itself.
 *
 * Part of faulty.c: it uses `refused` and `NOT_REFUSED`.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/sysinfo.h>

/* A clock of another process, of each kind that there is: all its time, its own, what it ran. Nobody is process 0. */
static void read_clocks_of(pid_t process)
{
    struct timespec time;
    if (process <= 0)
        return;
    for (unsigned kind = 0; kind < 8; kind++) {
        clockid_t clock = (clockid_t)(~(unsigned)process << 3 | kind);
        refused(syscall(SYS_clock_gettime, clock, &time) != 0);
        refused(syscall(SYS_clock_getres, clock, &time) != 0);
    }
}

static void read_limits_of(pid_t process)
{
    struct rlimit limit;
    if (process <= 0)
        return;
    for (int which = 0; which < 16; which++)
        refused(syscall(SYS_prlimit64, process, which, NULL, &limit) != 0);
}

static void look_at_scheduling_of(pid_t process)
{
    struct sched_param param;
    struct timespec slice;
    cpu_set_t cores;
    void *list;
    size_t length;
    if (process <= 0)
        return;
    errno = 0;
    refused(getpriority(PRIO_PROCESS, (id_t)process) == -1 && errno != 0);
    refused(sched_getaffinity(process, sizeof cores, &cores) != 0);
    refused(sched_getscheduler(process) < 0);
    refused(sched_getparam(process, &param) != 0);
    refused(sched_rr_get_interval(process, &slice) != 0);
    refused(syscall(SYS_get_robust_list, process, &list, &length) != 0);
}

/* Every way to learn of a path whether it is there. */
static void look_for(const char *path)
{
    char room[512], text[64];
#ifdef SYS_stat
    refused(syscall(SYS_stat, path, room) != 0);
    refused(syscall(SYS_lstat, path, room) != 0);
    refused(syscall(SYS_access, path, F_OK) != 0);
    refused(syscall(SYS_readlink, path, text, sizeof text) < 0 && errno != EINVAL);
#endif
    refused(syscall(SYS_newfstatat, AT_FDCWD, path, room, 0) != 0);
    refused(syscall(SYS_newfstatat, AT_FDCWD, path, room, AT_SYMLINK_NOFOLLOW) != 0);
    refused(syscall(SYS_faccessat, AT_FDCWD, path, F_OK) != 0);
    refused(syscall(SYS_faccessat2, AT_FDCWD, path, F_OK, 0) != 0);
    refused(syscall(SYS_statx, AT_FDCWD, path, 0, 0xfff, room) != 0);
    /* EINVAL says that it is there and no link. */
    refused(syscall(SYS_readlinkat, AT_FDCWD, path, text, sizeof text) < 0 && errno != EINVAL);
}

/* With this flag the calls are about an open file, unless a path is given all the same. */
static void look_for_as_if_open(const char *path)
{
    char room[512];
    refused(syscall(SYS_newfstatat, 1, path, room, AT_EMPTY_PATH) != 0);
    refused(syscall(SYS_statx, 1, path, AT_EMPTY_PATH, 0xfff, room) != 0);
}

/* What is left behind in the descriptions of files that others may have too. */
static void mark_files(void)
{
    int on = 1;
    for (int file = 0; file < 64; file++)
        if (lseek(file, 0, SEEK_CUR) >= 0)
            lseek(file, 0x5ca1ab1e, SEEK_SET);
    for (int file = 0; file < 3; file++) {
        int before = fcntl(file, F_GETFL);
        fcntl(file, F_SETFL, O_APPEND | O_NONBLOCK);
        ioctl(file, FIONBIO, &on);
        refused(fcntl(file, F_GETFL) == before);
    }
}

/* Timers of all kinds; a user that nobody else has may have a few of them. */
static void make_timers(void)
{
    struct sigevent silent = {.sigev_notify = SIGEV_NONE};
    timer_t timer;
    int count = 0;
    while (count < 512 && timer_create(CLOCK_MONOTONIC, &silent, &timer) == 0 &&
           timer_settime(timer, 0, &(struct itimerspec){.it_value = {3600, 0}}, NULL) == 0)
        count++;
    refused(getuid() < 0x10000 || count <= 8);
}

/* Advice on memory that others could notice: what is read ahead, merged, written out, or made one large page. */
static void advise_on_memory(void)
{
    static const int advice[] = {MADV_WILLNEED, MADV_MERGEABLE, 20 /* COLD */, 21 /* PAGEOUT */, 25 /* COLLAPSE */};
    const size_t size = 2 << 20;
    char *block = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *aligned = block + (size - (uintptr_t)block % size) % size;
    memset(block, 1, 2 * size);
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++)
        refused(madvise(aligned, size, advice[i]) != 0);
    refused(madvise(aligned, size, MADV_DONTNEED) == 0); /* what allocators do */
}

/* A filter that allows everything. */
static struct sock_filter all_is_allowed[] = {BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
static struct sock_fprog a_filter = {.len = 1, .filter = all_is_allowed};

/* Does what a misdeed of these says. Gives 0 for a name that is none of them. Does not return from what should end it. */
static int pry(const char *misdeed, const char *path, pid_t other)
{
    char referee[32];
    struct sysinfo machine;
#define IS(name) (strcmp(misdeed, name) == 0)
    snprintf(referee, sizeof referee, "/proc/%d/", (int)getppid());
    if (IS("read clocks of others")) {
        read_clocks_of(getppid());
        read_clocks_of(other);
    } else if (IS("look at the machine")) {
        refused(sysinfo(&machine) != 0);
    } else if (IS("read limits of others")) {
        read_limits_of(getppid());
        read_limits_of(other);
    } else if (IS("look at scheduling of others")) {
        look_at_scheduling_of(getppid());
        look_at_scheduling_of(other);
    } else if (IS("look for paths")) {
        look_for("/etc/passwd");
        look_for(path);
        look_for(referee);
    } else if (IS("look for paths as if open")) {
        look_for_as_if_open("/etc/passwd");
        look_for_as_if_open(path);
        look_for_as_if_open(referee);
    } else if (IS("open as a path only")) {
        open(path, O_PATH); /* which gives what stat gives */
        _exit(NOT_REFUSED);
    } else if (IS("mark files")) {
        mark_files();
    } else if (IS("make timers")) {
        make_timers();
    } else if (IS("advise on memory")) {
        advise_on_memory();
    } else if (IS("install a filter")) {
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &a_filter);
        _exit(NOT_REFUSED);
    } else if (IS("compute strictly")) {
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
        _exit(NOT_REFUSED);
    } else if (IS("install filters")) {
        /* Few enough to do the machine no harm where nobody stops it: kernels can be wedged by thousands. */
        for (int count = 0; count < 16; count++)
            syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &a_filter);
        _exit(NOT_REFUSED);
    } else if (strncmp(misdeed, "option ", 7) == 0) {
        prctl((int)strtoul(misdeed + 7, NULL, 0), 0, 0, 0, 0);
        _exit(NOT_REFUSED);
    } else if (IS("fork as the template does")) {
        pid_t child;
        syscall(SYS_clone, CLONE_PARENT | CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD, 0, 0, &child, 0);
        _exit(NOT_REFUSED);
    } else if (IS("give up rights")) {
        /* Nobody minds; whether it is done is the host's own affair. */
        syscall(SYS_setresgid, 0x7fff0000, 0x7fff0000, 0x7fff0000);
        syscall(SYS_setresuid, 0x7fff0000, 0x7fff0000, 0x7fff0000);
        syscall(SYS_landlock_restrict_self, -1, 0);
    } else {
        return 0;
    }
    return 1;
#undef IS
}
