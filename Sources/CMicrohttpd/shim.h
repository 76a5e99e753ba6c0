#pragma once
#include <microhttpd.h>

// libmicrohttpd's variadic calls with the arguments typed: Swift cannot call C variadics, and each option wants its own
// width (MHD_OPTION, microhttpd.h).

/// A daemon with its own polling thread on a socket that already listens; the daemon closes `listening` when it stops.
/// `context` is handed to all three callbacks.
static inline struct MHD_Daemon *cmicrohttpd_start(
    int listening, MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed,
    size_t (*unescape)(void *, struct MHD_Connection *, char *), void *context, size_t connection_memory,
    unsigned connection_limit, unsigned timeout_seconds) {
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handle, context,
        MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listening, MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, context, MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit, MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds, MHD_OPTION_END);
}
