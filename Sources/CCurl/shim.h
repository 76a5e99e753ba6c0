#pragma once
#include <curl/curl.h>
#include <stdbool.h>

// libcurl's variadic calls, one typed entry for each kind of argument: Swift cannot call C variadics, and an option
// that wants `long` or `curl_off_t` must never be handed an `int` (curl_easy_setopt(3)).

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}
/// For CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION, which share this form.
typedef size_t (*ccurl_bytes_function)(char *bytes, size_t size, size_t count, void *context);
static inline CURLcode ccurl_set_bytes_function(CURL *easy, CURLoption option, ccurl_bytes_function value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode ccurl_set_open_socket_function(CURL *easy, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}
static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode ccurl_multi_wait(CURLM *multi, int descriptor, int timeout_milliseconds) {
    struct curl_waitfd extra = {.fd = descriptor, .events = CURL_WAIT_POLLIN, .revents = 0};
    return curl_multi_poll(multi, &extra, 1, timeout_milliseconds, NULL);
}
/// What curl_multi_info_read(3) tells of a finished transfer, without its union: false where there is none.
static inline bool ccurl_multi_next_finished(CURLM *multi, CURL **easy, CURLcode *result) {
    int left = 0;
    CURLMsg *message = curl_multi_info_read(multi, &left);
    if (message == NULL) return false;
    // CURLMSG_DONE is the only kind there is.
    *easy = message->easy_handle;
    *result = message->data.result;
    return true;
}
static inline CURLcode ccurl_set_before_request_function(CURL *easy, curl_prereq_callback value) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}
static inline CURLcode ccurl_set_close_socket_function(CURL *easy, curl_closesocket_callback value) {
    return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, value);
}
static inline CURLcode ccurl_set_resolver_start_function(CURL *easy, curl_resolver_start_callback value) {
    return curl_easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, value);
}
