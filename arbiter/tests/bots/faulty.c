/*
 * Does something wrong at a place of its choice, and otherwise plays the first legal move.
 *
 * Options "new_game", "choose_move", "played", "between_turns", "game_over" and "destroy" name the misdeed that
 * happens there. What happens at places that come before any option, and the file and the bot that are attacked, are
 * written into the library itself, over the marks below.
 *
 * Option "any" holds misdeeds with their places, "choose_move:segfault|new_game:loop|...", of which the game's seed
 * chooses one: number seed modulo their count, in turn 2 + (seed >> 32) modulo 4, counted from 1, for the news before
 * it, or after it. Option "instead" set to "resign" makes the bot resign at the same moment.
 *
 * A misdeed that the system should have refused, but has not, ends the process with exit code 99.
 */
#define _GNU_SOURCE
#include "options.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#define NOT_REFUSED 99

/* Volatile, so that the compiler does not take what it sees here for what will be there. */
static volatile const char at_load[256] = "mark for load";
static volatile const char at_create[256] = "mark for create";
static volatile const char victim[256] = "mark for victim";
static volatile const char other_bot[256] = "mark for other bot";

/* At least as much of the block that is shared with the referee. */
#define BLOCK 98304

static const arbiter_game *game;
static const char *at_destroy;
static unsigned turns; /* in this game */
static volatile int sink;

/* Another thread goes on where this one ends. */
static ucontext_t here;
static volatile int has_ended;

static void *heir(void *unused)
{
    (void)unused;
    while (!has_ended)
        sched_yield();
    nanosleep(&(struct timespec){0, 2000000}, NULL);
    setcontext(&here);
    return NULL;
}

static void hand_over(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, heir, NULL);
    getcontext(&here);
    if (!has_ended) {
        has_ended = 1;
        syscall(SYS_exit, 0);
    }
}

/* Threads that ask the referee's supervisor all the time. A signal turns their wait for an answer into state D. */
#define ASKERS 30
static volatile int asker[ASKERS], is_asking[ASKERS];

static void *ask_on(void *number)
{
    long n = (long)number;
    int ends[2];
    asker[n] = (int)syscall(SYS_gettid);
    for (;;) {
        is_asking[n] = 1;
        if (pipe(ends) == 0) {
            close(ends[0]);
            close(ends[1]);
        }
        is_asking[n] = 0;
    }
    return NULL;
}

static void ignore_signal(int signal)
{
    (void)signal;
}

static void sleep_behind_questions(int seconds)
{
    pthread_t thread;
    sigaction(SIGURG, &(struct sigaction){.sa_handler = ignore_signal, .sa_flags = SA_RESTART}, NULL);
    for (long n = 0; n < ASKERS; n++)
        pthread_create(&thread, NULL, ask_on, (void *)n);
    for (time_t begun = time(NULL); time(NULL) - begun < seconds;) {
        for (int n = 0; n < ASKERS; n++)
            if (is_asking[n] && is_asking[n]++ < 8)
                syscall(SYS_tgkill, getpid(), asker[n], SIGURG);
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
}

static int overflow(volatile char *above)
{
    volatile char frame[4096];
    frame[0] = above ? above[0] : 1;
    return sink ? 0 : overflow(frame) + frame[0];
}

static void *overflow_in_thread(void *unused)
{
    sink = overflow(unused);
    return NULL;
}

/* The block of memory that is shared with the referee: found below the C library by what a request begins with. */
static char *shared_block(void)
{
    unsigned char there[BLOCK / 4096];
    char *page = (char *)((uintptr_t)malloc & ~(uintptr_t)4095);
    for (int i = 0; i < 1 << 16; i++, page -= 4096) {
        const uint32_t *word = (const uint32_t *)page;
        if (mincore(page, BLOCK, there) == 0 && word[0] > 0 && word[0] < 1000 && word[1] < 2 && word[2] > 0 &&
            word[2] < 65536 && word[3] < 2)
            return page;
    }
    abort();
}

static void fill_memory(void)
{
    for (;;) {
        char *block = malloc(1 << 20);
        memset(block, 1, 1 << 20); /* a null pointer here is what ends it */
    }
}

static void flood(void)
{
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 200; i++)
        if (write(i % 2 + 1, line, sizeof line) < 0)
            return;
    fputs("the last line\n", stderr);
}

/* Says something for ever, as soon as the one before has been heard. */
static void talk_for_ever(const arbiter_host *host, int reports)
{
    static char text[4096];
    arbiter_move line[64];
    memset(text, 'x', sizeof text - 1);
    for (int i = 0; i < 64; i++)
        line[i] = ARBITER_MOVE_PASS;
    for (;;)
        if (reports)
            host->report(host, &(arbiter_report){.struct_size = sizeof(arbiter_report), .score = ARBITER_NO_SCORE,
                                                 .pv = line, .pv_count = 64, .text = text});
        else
            host->log(host, ARBITER_LOG_ERROR, text);
}

/* System calls that are wrong whatever they are given. */
static const struct {
    const char *name;
    long number;
} wrong_calls[] = {
#define CALL(name) {#name, SYS_##name}
    CALL(acct), CALL(add_key), CALL(adjtimex), CALL(bpf), CALL(chdir), CALL(chroot), CALL(clock_adjtime),
    CALL(capset), CALL(clock_settime), CALL(connect), CALL(delete_module), CALL(execveat), CALL(fallocate), CALL(fanotify_init),
    CALL(fchmod), CALL(fchmodat), CALL(fchown), CALL(flock), CALL(ftruncate), CALL(init_module), CALL(inotify_init1),
    CALL(io_setup), CALL(io_uring_enter), CALL(io_uring_register), CALL(io_uring_setup), CALL(ioprio_set),
    CALL(kcmp), CALL(keyctl), CALL(linkat), CALL(mkdirat), CALL(mknodat), CALL(mount), CALL(mq_open),
    CALL(name_to_handle_at), CALL(open_by_handle_at), CALL(perf_event_open), CALL(personality), CALL(pidfd_getfd),
    CALL(pidfd_open), CALL(pidfd_send_signal), CALL(pivot_root), CALL(process_madvise), CALL(process_vm_readv),
    CALL(process_vm_writev), CALL(ptrace), CALL(quotactl), CALL(reboot), CALL(renameat2), CALL(request_key),
    CALL(sched_getattr), CALL(sched_setaffinity), CALL(sched_setattr), CALL(sched_setparam), CALL(sched_setscheduler), CALL(semget),
    CALL(sendto), CALL(setgid), CALL(setgroups), CALL(sethostname), CALL(setns), CALL(setpgid), CALL(setpriority),
    CALL(setsid), CALL(settimeofday), CALL(setuid), CALL(shmget), CALL(signalfd4), CALL(socket), CALL(socketpair),
    CALL(splice), CALL(swapon), CALL(symlinkat), CALL(syslog), CALL(timerfd_create), CALL(tkill), CALL(truncate),
    CALL(umask), CALL(umount2), CALL(unlinkat), CALL(unshare), CALL(userfaultfd), CALL(utimensat), CALL(vhangup),
    CALL(memfd_create), CALL(wait4), CALL(waitid),
#undef CALL
};

static void make_wrong_call(const char *name)
{
    for (size_t i = 0; i < sizeof wrong_calls / sizeof *wrong_calls; i++)
        if (strcmp(wrong_calls[i].name, name) == 0)
            syscall(wrong_calls[i].number, 0, 0, 0, 0, 0, 0);
    _exit(NOT_REFUSED);
}

/* Ends the process if something was not refused. */
static void refused(int is_refused)
{
    if (!is_refused)
        _exit(NOT_REFUSED);
}

#include "prying.h"

static void *wait_for_ever(void *nothing)
{
    for (;;)
        pause();
    return nothing;
}

static void thread_bomb(void)
{
    pthread_attr_t small;
    pthread_t thread;
    int count = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    while (count < 1000 && pthread_create(&thread, &small, wait_for_ever, NULL) == 0)
        count++;
    refused(count < 200);
}

static void *segfault(void *nothing)
{
    *(volatile int *)0xdead0 = 1;
    return nothing;
}

static void *loop(void *nothing)
{
    for (;;)
        sink++;
    return nothing;
}

/* Writes over the answer while it is being read. */
static void *keep_scribbling(void *block)
{
    for (uint64_t n = 1;; n = n * 6364136223846793005u + 1442695040888963407u)
        ((volatile uint64_t *)block)[65536 / 8 + 8 + 2 + n % 64] = n;
    return NULL;
}

/* Calls that take a path, a process, or need something done before. Gives 0 for a name that is none of them. */
static int reach_out(const char *misdeed)
{
    const char *path = (const char *)victim;
    pid_t other = atoi((const char *)other_bot);
    char text[64];
    int file;
    sigset_t all;
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    struct itimerval soon = {.it_value = {.tv_usec = 1000}};
    struct sigevent silent = {.sigev_notify = SIGEV_NONE};
    timer_t timer;
    int count, ends[2];
#define IS(name) (strcmp(misdeed, name) == 0)
    if (IS("fork") || IS("fork bomb")) {
        do
            fork();
        while (IS("fork bomb"));
    } else if (IS("fork with signals blocked")) {
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        fork();
    } else if (IS("fork with its signal ignored")) {
        signal(SIGSYS, SIG_IGN);
        fork();
    } else if (IS("daemonise")) {
        refused(daemon(0, 0) != 0);
    } else if (IS("execute")) {
        execl("/bin/true", "true", NULL);
    } else if (IS("shell")) {
        refused(system("true") != 0);
    } else if (IS("new namespace")) {
        syscall(SYS_clone, 0x10000000 | SIGCHLD, 0, 0, 0, 0);
    } else if (IS("kill referee")) {
        kill(getppid(), SIGKILL);
    } else if (IS("kill group")) {
        kill(0, SIGKILL);
    } else if (IS("go on by itself")) {
        kill(getpid(), SIGCONT);
    } else if (IS("kill all")) {
        kill(-1, SIGKILL);
    } else if (IS("kill thread of referee")) {
        syscall(SYS_tgkill, getppid(), getppid(), SIGKILL);
    } else if (IS("queue signal to referee")) {
        siginfo_t info = {.si_code = SI_QUEUE};
        syscall(SYS_rt_sigqueueinfo, getppid(), SIGKILL, &info);
    } else if (IS("kill other bot")) {
        kill(other, SIGKILL);
    } else if (IS("read other bot's memory")) {
        struct iovec ours = {text, sizeof text}, theirs = {(void *)&victim, sizeof text};
        process_vm_readv(other, &ours, 1, &theirs, 1, 0);
    } else if (IS("trace other bot")) {
        ptrace(PTRACE_ATTACH, other, 0, 0);
    } else if (IS("open other bot's memory")) {
        snprintf(text, sizeof text, "/proc/%d/mem", (int)other);
        refused(open(text, O_RDONLY) < 0);
        return 1;
    } else if (IS("look at other bot's files")) {
        snprintf(text, sizeof text, "/proc/%d/fd/0", (int)other);
        refused(open(text, O_RDONLY) < 0);
        return 1;
    } else if (IS("read own memory")) {
        refused(open("/proc/self/mem", O_RDONLY) < 0);
        return 1;
    } else if (IS("read referee's memory")) {
        snprintf(text, sizeof text, "/proc/%d/mem", (int)getppid());
        refused(open(text, O_RDONLY) < 0);
        return 1;
    } else if (IS("read referee's files")) {
        snprintf(text, sizeof text, "/proc/%d/fd/0", (int)getppid());
        refused(open(text, O_RDONLY) < 0);
        return 1;
    } else if (IS("write own memory")) {
        open("/proc/self/mem", O_RDWR);
    } else if (IS("write referee's memory")) {
        snprintf(text, sizeof text, "/proc/%d/mem", (int)getppid());
        open(text, O_RDWR);
    } else if (IS("read file")) {
        refused(open(path, O_RDONLY) < 0);
        return 1;
    } else if (IS("read passwords")) {
        refused(open("/etc/passwd", O_RDONLY) < 0);
        return 1;
    } else if (IS("write file")) {
        open(path, O_WRONLY);
    } else if (IS("empty file")) {
        open(path, O_RDONLY | O_TRUNC);
    } else if (IS("make file")) {
        open(path, O_RDONLY | O_CREAT, 0600);
    } else if (IS("make unnamed file")) {
        open("/tmp", O_RDWR | O_TMPFILE, 0600);
    } else if (IS("read past the page cache")) {
        open(path, O_RDONLY | O_DIRECT);
    } else if (IS("change to reading past the page cache")) {
        fcntl(3, F_SETFL, O_RDONLY | O_DIRECT);
    } else if (IS("truncate file")) {
        refused(truncate(path, 0) != 0);
    } else if (IS("delete file")) {
        syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    } else if (IS("change mode of file")) {
        syscall(SYS_fchmodat, AT_FDCWD, path, 0777);
    } else if (IS("raise limits")) {
        setrlimit(RLIMIT_DATA, &limit);
    } else if (IS("raise limit of files")) {
        refused(setrlimit(RLIMIT_NOFILE, &limit) != 0);
        return 1;
    } else if (IS("own log")) {
        fcntl(2, F_SETOWN, getppid());
    } else if (IS("signals from log")) {
        fcntl(2, F_SETFL, O_WRONLY | O_ASYNC);
    } else if (IS("signals from log by ioctl")) {
        file = 1;
        ioctl(2, FIOASYNC, &file);
    } else if (IS("larger log")) {
        fcntl(2, F_SETPIPE_SZ, 1 << 20);
    } else if (IS("outlive referee")) {
        prctl(PR_SET_PDEATHSIG, 0);
    } else if (IS("dumpable")) {
        prctl(PR_SET_DUMPABLE, 1);
    } else if (IS("listen to calls")) {
        syscall(SYS_seccomp, 1, 8, NULL);
    } else if (IS("alarm")) {
        setitimer(ITIMER_REAL, &soon, NULL);
        wait_for_ever(NULL);
    } else if (IS("thread bomb")) {
        thread_bomb();
        return 1;
    } else if (IS("open descriptors")) {
        for (file = 0; file < 1000 && dup(2) >= 0;)
            file++;
        refused(file < 1000);
        return 1;
    } else if (IS("make pipes")) {
        for (count = 0; count < 100 && pipe(ends) == 0; count++) {
            close(ends[0]);
            close(ends[1]);
        }
        refused(count < 100);
        return 1;
    } else if (IS("shared memory")) {
        refused(mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
        return 1;
    } else if (IS("huge pages")) {
        refused(mmap(NULL, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0) ==
                MAP_FAILED);
        return 1;
    } else if (IS("grow downwards")) {
        refused(mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0) ==
                MAP_FAILED);
        return 1;
    } else if (IS("make timers without end")) {
        /* None of them goes off before the game is over; each of them takes memory of the kernel. */
        for (count = 0; count < 100000; count++)
            if (timer_create(CLOCK_MONOTONIC, &silent, &timer) != 0 ||
                timer_settime(timer, 0, &(struct itimerspec){.it_value = {3600, 0}}, NULL) != 0)
                break;
        refused(count < 1000);
        return 1;
    } else if (IS("time another process")) {
        /* Its processor time; a timer on that would go off on its account. */
        refused(timer_create((clockid_t)(~(unsigned)other << 3 | 2), &silent, &timer) != 0);
        refused(timer_create((clockid_t)(~(unsigned)getppid() << 3 | 2), &silent, &timer) != 0);
        refused(clock_nanosleep((clockid_t)(~(unsigned)other << 3 | 2), 0, &(struct timespec){0, 1}, NULL) == EPERM);
        return 1;
    } else if (IS("storm of alarms")) {
        signal(SIGALRM, SIG_IGN);
        signal(SIGVTALRM, SIG_IGN);
        signal(SIGPROF, SIG_IGN);
        for (int which = 0; which < 3; which++)
            setitimer((__itimer_which_t)which, &(struct itimerval){{0, 1}, {0, 1}}, NULL);
        return 1;
    } else if (IS("hide memory") || IS("hide memory and sleep") || IS("hide memory behind a thread that has ended")) {
        if (IS("hide memory behind a thread that has ended"))
            hand_over();
        for (int i = 0; i < 40; i++) {
            size_t size = 8 << 20;
            char *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (block == MAP_FAILED)
                break;
            memset(block, 1, size);
            mprotect(block, size, PROT_READ); /* what cannot be written is not counted any more */
        }
        while (IS("hide memory and sleep"))
            pause();
        return 1;
    } else if (IS("reserve addresses")) {
        refused(mmap(NULL, 1l << 40, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED);
        return 1;
    } else if (IS("lock memory")) {
        refused(mlockall(MCL_CURRENT) != 0 && mlock(text, sizeof text) != 0);
        return 1;
    } else if (IS("read standard input")) {
        refused(read(0, text, 1) <= 0);
        return 1;
    } else if (IS("32-bit call")) {
#ifdef __x86_64__
        __asm__ volatile("int $0x80" : : "a"(20) : "memory");
#endif
    } else if (IS("x32 call")) {
        syscall(0x40000000 + 39);
    } else if (IS("unknown call")) {
        syscall(9999);
    } else {
        return 0;
    }
#undef IS
    _exit(NOT_REFUSED);
}

/* A frame that has been left. */
static jmp_buf left;

/* Reports a text of that many bytes, with or without an end, before memory that is not there. */
static void report(const arbiter_host *host, size_t length, int ends)
{
    const size_t most = 1 << 20;
    char *text = mmap(NULL, most + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    text += most - length;
    memset(text, 'x', length);
    text[length - 1] = ends ? 0 : 'x';
    munmap(text + length, 4096);
    host->report(host, &(arbiter_report){.struct_size = sizeof(arbiter_report), .score = ARBITER_NO_SCORE, .text = text});
}

static void *nothing(void *nothing)
{
    return nothing;
}

/* Starts threads one after the other, each when the one before is gone. Gives how many there were. */
static int start_threads(int most)
{
    pthread_attr_t small;
    pthread_t thread;
    int count = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    while (count < most && (errno = pthread_create(&thread, &small, nothing, NULL)) == 0) {
        pthread_join(thread, NULL);
        count++;
    }
    return count;
}

/* Asks for threads that it does not get, for ever. */
static void *ask_for_threads(void *nothing)
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    for (;;)
        pthread_create(&thread, &small, wait_for_ever, NULL);
    return nothing;
}

/* Makes calls that are refused, for ever. */
static void *ask_for_paths(void *nothing)
{
    for (;;)
        access("/etc/passwd", F_OK);
    return nothing;
}

/* So many threads that do something, of a size that leaves room for many. */
static void leave_behind(int count, void *(*what)(void *))
{
    pthread_attr_t small;
    pthread_t thread;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 1 << 16);
    while (count-- > 0)
        pthread_create(&thread, &small, what, NULL);
}

/* Uses so much processor time. */
static void work(long seconds)
{
    struct timespec used;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    while (used.tv_sec < seconds);
}

/* Lets the answer of the turn before be seen as this one's, and thinks on. */
static void answer_early(void)
{
    volatile uint32_t *request = (volatile uint32_t *)shared_block();
    volatile uint32_t *reply = request + (65536 + 64) / sizeof *reply;
    reply[0] = request[0];
    syscall(SYS_futex, reply, 1, INT32_MAX, NULL, NULL, 0);
    /* In the time of this turn, until the referee runs, and then in the opponent's, until it is stopped. */
    for (clock_t start = clock(); clock() - start < CLOCKS_PER_SEC / 5;)
        ;
}

/* Returns the status to be returned, if the misdeed leaves that choice. */
static int32_t commit(const char *misdeed, const arbiter_host *host)
{
    sigset_t all;
    pthread_t thread;
    if (!misdeed || !*misdeed)
        return ARBITER_OK;
    if (strncmp(misdeed, "call ", 5) == 0)
        make_wrong_call(misdeed + 5);
    if (reach_out(misdeed) || pry(misdeed, (const char *)victim, atoi((const char *)other_bot)))
        return ARBITER_OK;
#define IS(name) (strcmp(misdeed, name) == 0)
    if (IS("segfault")) {
        *(volatile int *)0xdead0 = 1;
    } else if (IS("abort")) {
        abort();
    } else if (IS("divide")) {
        raise(SIGFPE);
    } else if (IS("illegal")) {
        __builtin_trap();
    } else if (IS("overflow")) {
        sink = overflow(0);
    } else if (IS("kill")) {
        kill(getpid(), SIGKILL);
    } else if (IS("terminate")) {
        raise(SIGTERM);
    } else if (IS("segfault in a thread")) {
        pthread_create(&thread, NULL, segfault, NULL);
        wait_for_ever(NULL);
    } else if (IS("overflow in a thread")) {
        pthread_create(&thread, NULL, overflow_in_thread, NULL);
        wait_for_ever(NULL);
    } else if (IS("end the main thread")) {
        pthread_exit(NULL);
    } else if (IS("jump out")) {
        longjmp(left, 1);
    } else if (IS("long report")) {
        report(host, 1 << 20, 1);
    } else if (IS("endless report")) {
        report(host, 1 << 20, 0);
    } else if (IS("report without end")) {
        report(host, 100, 0);
    } else if (IS("count threads")) {
        refused(start_threads(64) == 64);
    } else if (IS("start 200 threads")) {
        refused(start_threads(200) == 200);
    } else if (IS("leave a thread bomb behind")) {
        leave_behind(1, ask_for_threads);
    } else if (IS("leave a flood of calls behind")) {
        leave_behind(63, ask_for_paths);
    } else if (IS("leave a flood of threads behind")) {
        leave_behind(63, ask_for_threads);
    } else if (IS("work 3 s")) {
        work(3);
    } else if (IS("work 6 s")) {
        work(6);
    } else if (IS("exit 0")) {
        exit(0);
    } else if (IS("_exit 3")) {
        _exit(3);
    } else if (IS("close all")) {
        for (int file = 0; file < 1024; file++)
            close(file);
    } else if (IS("loop")) {
        for (;;)
            sink++;
    } else if (IS("sleep") || IS("hide and sleep") || IS("take half a letter for a name and sleep")) {
        if (IS("hide and sleep"))
            prctl(PR_SET_DUMPABLE, 0);
        else if (!IS("sleep"))
            prctl(PR_SET_NAME, "\xd0");
        for (;;)
            pause();
    } else if (IS("block signals and loop")) {
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, NULL);
        for (;;)
            sink++;
    } else if (IS("go on by a timer") || IS("go on at once by a timer")) {
        struct sigevent go_on = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
        timer_t timer;
        /* Of one that repeats itself nothing is left when it goes off just before the process is stopped, which takes a busy
           machine a while. */
        long at_once = IS("go on at once by a timer"), ms = at_once ? 1 : 40;
        for (; ms < 60000 && timer_create(CLOCK_MONOTONIC, &go_on, &timer) == 0; ms = at_once ? ms + 1 : 2 * ms)
            timer_settime(timer, 0, &(struct itimerspec){.it_value = {ms / 1000, ms % 1000 * 1000000}}, NULL);
        pthread_create(&thread, NULL, loop, NULL);
    } else if (IS("complain and exit")) {
        for (int line = 1; line <= 20; line++)
            fprintf(stderr, "line %d\n", line);
        fprintf(stderr, "%01000d\n\033[31mno openings here\n", 7);
        exit(3);
    } else if (IS("wait in the kernel")) {
        /* Each call that is let through waits in state D until every core has come by, and uses a few microseconds. */
        for (time_t begun = time(NULL); time(NULL) - begun < 4;)
            syscall(SYS_membarrier, 1, 0, 0);
    } else if (IS("sleep behind questions")) {
        sleep_behind_questions(8);
    } else if (IS("stop itself")) {
        raise(SIGSTOP);
        for (;;)
            pause();
    } else if (IS("fill memory")) {
        fill_memory();
    } else if (IS("fill most of memory and segfault")) {
        for (int i = 0; i < 44; i++) {
            char *volatile block = malloc(1 << 20);
            memset(block, 1, 1 << 20);
        }
        *(volatile int *)0xdead0 = 1;
    } else if (IS("allocate hugely and give up")) {
        char *volatile block = malloc((size_t)1 << 40);
        if (block == NULL)
            abort();
    } else if (IS("allocate hugely")) {
        *(volatile char *)malloc((size_t)1 << 40) = 1;
    } else if (IS("forget to look")) {
        char *block = malloc((size_t)1 << 40);
        block[8] = 1;
    } else if (IS("answer late")) {
        /* Longer than a referee without a processor sleeps beyond a limit of 0.3 s. */
        nanosleep(&(struct timespec){5, 0}, NULL);
    } else if (IS("answer early")) {
        answer_early();
    } else if (IS("log for ever") || IS("report for ever")) {
        talk_for_ever(host, IS("report for ever"));
    } else if (IS("flood")) {
        flood();
    } else if (IS("print for ever")) {
        for (;;)
            fputs("another line\n", stdout);
    } else if (IS("flood for ever")) {
        for (;;)
            flood();
    } else if (IS("keep scribbling")) {
        pthread_create(&thread, NULL, keep_scribbling, shared_block());
    } else if (IS("scribble")) {
        memset(shared_block(), 0xff, BLOCK);
        for (;;)
            pause();
    } else if (IS("say that it is gone")) {
        /* The bit by which a lane tells that the process on its other side has ended. */
        __atomic_fetch_or((uint32_t *)(shared_block() + 65536 + 64), 1u << 31, __ATOMIC_SEQ_CST);
        for (;;)
            pause();
    } else if (IS("raise a forbidden call")) {
        raise(SIGSYS);
    } else if (IS("unmap")) {
        munmap(shared_block(), BLOCK);
    } else if (IS("panic")) {
        host->log(host, ARBITER_LOG_ERROR, "index out of bounds");
        return ARBITER_ERR_PANIC;
    } else {
        return atoi(misdeed);
    }
    return ARBITER_OK;
#undef IS
}

static const char *option(const char *key)
{
    return option_text(game, key);
}

/* The misdeed that was written over a mark. */
static const char *written(volatile const char *over)
{
    return strncmp((const char *)over, "mark for", 8) == 0 ? NULL : (const char *)over;
}

__attribute__((constructor)) static void load(void)
{
    commit(written(at_load), NULL);
}

static int32_t create(const arbiter_host *host, void **self)
{
    *self = NULL;
    return commit(written(at_create), host);
}

/* The misdeed that the seed of the game has chosen, if it is for this place and turn; of a game in turn 0. */
static const char *chosen(const char *place, unsigned turn)
{
    static char misdeed[64];
    const char *any = option("any"), *at = any;
    size_t length = strlen(place);
    unsigned count = 1, number;
    if (!any || (turn && turn != 2 + (unsigned)(game->seed >> 32) % 4))
        return NULL;
    for (; (at = strchr(at, '|')) != NULL; at++)
        count++;
    at = any;
    for (number = (unsigned)(game->seed % count); number > 0; number--)
        at = strchr(at, '|') + 1;
    if (strncmp(at, place, length) != 0 || at[length] != ':')
        return NULL;
    snprintf(misdeed, sizeof misdeed, "%.*s", (int)strcspn(at + length + 1, "|"), at + length + 1);
    return misdeed;
}

/* Whether a misdeed would be noticed in this turn. */
static int is_noticed(void)
{
    return chosen("choose_move", turns) || chosen("answer", turns) || chosen("played", turns) ||
           (turns > 1 && chosen("between_turns", turns - 1));
}

static const char *misdeed_at(const char *place, unsigned turn)
{
    return option("any") ? option("instead") ? NULL : chosen(place, turn) : option(place);
}

static int32_t new_game(void *self, const arbiter_game *g)
{
    (void)self;
    game = g;
    turns = 0;
    setjmp(left);
    at_destroy = option("destroy");
    if (option("instead") && chosen("new_game", 0))
        return ARBITER_ERR_FAILED;
    return commit(misdeed_at("new_game", 0), g->host);
}

static pthread_t between;
static int is_between;          /* whether there is such a thread */
static volatile int is_overdue; /* whether the next turn has begun before it could do anything */

/* Waits until the answer has been taken. */
static void *later(void *misdeed)
{
    while (!is_overdue && game->host->should_stop(game->host) != ARBITER_ABANDON)
        sched_yield();
    commit(misdeed, NULL);
    return NULL;
}

static int32_t choose_move(void *self, const arbiter_turn *turn, arbiter_move *move)
{
    const char *between_turns;
    (void)self;
    is_overdue = 1;
    if (is_between)
        pthread_join(between, NULL);
    *move = turn->moves[0];
    turns += turn->attempt == 0;
    if (option("instead") && is_noticed())
        return ARBITER_RESIGN;
    between_turns = misdeed_at("between_turns", turns);
    if (option("answer"))
        *move = strtoull(option("answer"), NULL, 0);
    is_overdue = 0;
    is_between = between_turns && pthread_create(&between, NULL, later, (void *)between_turns) == 0;
    if (turns == 2)
        commit(option("second_turn"), turn->host);
    if (chosen("answer", turns))
        *move = strtoull(chosen("answer", turns), NULL, 0);
    return commit(misdeed_at("choose_move", turns), turn->host);
}

static void played(void *self, const arbiter_event *event)
{
    (void)self;
    commit(misdeed_at("played", turns + 1), event->host);
}

static void game_over(void *self, const arbiter_result *result)
{
    (void)self;
    commit(misdeed_at("game_over", 0), result->host);
}

static void destroy(void *self)
{
    (void)self;
    commit(at_destroy, NULL);
}

ARBITER_BOT(.name = "Faulty", .create = create, .destroy = destroy, .new_game = new_game,
            .choose_move = choose_move, .played = played, .game_over = game_over)
