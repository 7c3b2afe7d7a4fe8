/*
 * Runs a command as an older or a more restricted system would: `older landlock,listener COMMAND...` has no
 * Landlock, and lets nobody listen to the system calls of others. With `namespaces` none can be made. Not a bot, but
 * what bots' processes run in.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

static int install(struct sock_filter *filter, unsigned short length)
{
    struct sock_fprog program = {length, filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

/* Lets a call fail with this error. */
static int without(unsigned call, unsigned error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return install(filter, sizeof filter / sizeof *filter);
}

static int without_listener(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EBUSY),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    return install(filter, sizeof filter / sizeof *filter);
}

int main(int count, char **words)
{
    if (count < 3)
        return 2;
    /* Root may filter without promising anything, and goes on to drop its rights as ever. */
    if (geteuid() != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return perror("no_new_privs"), 1;
    if (strstr(words[1], "landlock") && without(SYS_landlock_create_ruleset, EOPNOTSUPP) != 0)
        return perror("landlock"), 1;
    if (strstr(words[1], "listener") && without_listener() != 0)
        return perror("listener"), 1;
    if (strstr(words[1], "namespaces") && without(SYS_unshare, EPERM) != 0)
        return perror("namespaces"), 1;
    execv(words[2], words + 2);
    return perror(words[2]), 1;
}
