#pragma once
#include <microhttpd.h>

// libmicrohttpd's variadic calls with the arguments typed: Swift cannot call C variadics, and each option wants its own
// width (MHD_OPTION, microhttpd.h).

/// A daemon with its own polling thread and no socket that listens: connections come by MHD_add_connection. `context` is
/// handed to all four callbacks.
static inline struct MHD_Daemon *cmicrohttpd_start(
    MHD_AccessHandlerCallback handle, MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback notify,
    size_t (*unescape)(void *, struct MHD_Connection *, char *), void *context, size_t connection_memory,
    unsigned connection_limit, unsigned timeout_seconds) {
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET, 0, NULL, NULL, handle,
        context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, notify, context,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, context, MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit, MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds, MHD_OPTION_END);
}

/// What a content reader answers, and the size of what it reads: the header casts them in ways that Swift does not read.
static const uint64_t cmicrohttpd_size_unknown = MHD_SIZE_UNKNOWN;
static const ssize_t cmicrohttpd_end_of_stream = MHD_CONTENT_READER_END_OF_STREAM;
static const ssize_t cmicrohttpd_end_with_error = MHD_CONTENT_READER_END_WITH_ERROR;

/// After so many seconds of silence this connection is closed, in place of the daemon's own number.
static inline enum MHD_Result cmicrohttpd_set_timeout(struct MHD_Connection *connection, unsigned seconds) {
    return MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/// A response of unknown size ends with its connection, and is not sent in chunks.
static inline void cmicrohttpd_never_chunk(struct MHD_Response *response) {
    MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// The descriptor of a connection's socket; -1 where it has none.
static inline int cmicrohttpd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}
