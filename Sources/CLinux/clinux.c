#include "clinux.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <wchar.h>

int clinux_openat(int directory, const char *name, int flags, unsigned mode) {
    return openat(directory, name, flags | O_CLOEXEC, mode);
}

int clinux_birth_time(int file, long long *seconds, unsigned *nanoseconds) {
    struct statx status;
    if (statx(file, "", AT_EMPTY_PATH, STATX_BTIME, &status) != 0) return 0;
    if ((status.stx_mask & STATX_BTIME) == 0) return 0;
    *seconds = status.stx_btime.tv_sec;
    *nanoseconds = status.stx_btime.tv_nsec;
    return 1;
}

int clinux_rename_noreplace(int from_directory, const char *from, int to_directory, const char *to) {
    return renameat2(from_directory, from, to_directory, to, RENAME_NOREPLACE);
}

int clinux_eventfd(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

int clinux_name_thread(const char *name) {
    return pthread_setname_np(pthread_self(), name);
}

int clinux_accept(int socket) {
    return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

int clinux_peer(int socket, unsigned *user, unsigned *group) {
    struct ucred credentials;
    socklen_t size = sizeof credentials;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
    *user = credentials.uid;
    *group = credentials.gid;
    return 0;
}

long clinux_peer_groups(int socket, unsigned *groups, unsigned capacity) {
    socklen_t size = capacity;
    return getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &size) == 0 ? (long)size : -1;
}

long clinux_access_list(int file, void *list, unsigned long capacity) {
    return fgetxattr(file, "system.posix_acl_access", list, capacity);
}

int clinux_character_columns(unsigned character) {
    return wcwidth((wchar_t)character);
}

char **clinux_environment(void) {
    return environ;
}

int clinux_unix_socket(void) {
    return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int clinux_unix_datagram_socket(void) {
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

int clinux_stream(void) {
    return SOCK_STREAM;
}
