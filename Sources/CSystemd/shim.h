#pragma once
// The calls of <systemd/sd-daemon.h> that are used, as it declares them. Not that header itself: it takes in
// <sys/types.h>, whose types would then belong to this module instead of Glibc.
#include <stdint.h>

int sd_notify(int unset_environment, const char *state);
int sd_listen_fds(int unset_environment);
int sd_watchdog_enabled(int unset_environment, uint64_t *usec);
