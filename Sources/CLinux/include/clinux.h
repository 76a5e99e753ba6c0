#pragma once
// Linux calls that Swift's Glibc module does not show (GNU-only, or variadic). Each returns what the call itself
// returns: -1 and errno on failure.
// Only C's own types appear here: a type of <sys/types.h> would belong to this module instead of Glibc.
#include <stddef.h>

/// open(2) below a directory: O_CLOEXEC is always added.
int clinux_openat(int directory, const char *name, int flags, unsigned mode);
/// When an open file was made, statx(2): seconds and nanoseconds since 1970. Returns 1, or 0 where that is
/// not known: not every filesystem keeps it.
int clinux_birth_time(int file, long long *seconds, unsigned *nanoseconds);
/// renameat2(2) with RENAME_NOREPLACE: EEXIST where the new name is taken.
int clinux_rename_noreplace(int from_directory, const char *from, int to_directory, const char *to);
/// eventfd(2), close-on-exec and non-blocking.
int clinux_eventfd(void);
/// Names the calling thread (at most 15 bytes), pthread_setname_np(3).
int clinux_name_thread(const char *name);
/// accept4(2), close-on-exec and non-blocking.
int clinux_accept(int socket);
/// The other end of a Unix socket when it connected: its user and group, SO_PEERCRED of unix(7).
int clinux_peer(int socket, unsigned *user, unsigned *group);
/// Its supplementary groups, SO_PEERGROUPS: as many as fit into `capacity` bytes. Returns how many bytes they take, -1
/// and ERANGE where that is more.
long clinux_peer_groups(int socket, unsigned *groups, unsigned capacity);
/// The access control list of a file, as it is kept in the attribute system.posix_acl_access, fgetxattr(2). Returns its
/// size in bytes.
long clinux_access_list(int file, void *list, unsigned long capacity);
/// wcwidth(3): the columns of a character on a terminal, by LC_CTYPE; -1 for what it does not know.
int clinux_character_columns(unsigned character);
/// The environment, environ(7): strings `NAME=VALUE`, the last entry NULL.
char **clinux_environment(void);
/// A Unix stream socket, close-on-exec and non-blocking, socket(2).
int clinux_unix_socket(void);
/// The same for datagrams.
int clinux_unix_datagram_socket(void);
/// SOCK_STREAM, which Swift's Glibc does not show in every build.
int clinux_stream(void);
