/*
 * Many readers of one event stream that cost next to nothing, so that what is measured is the
 * server: they count events, check their order, and time those of every 20th reader.
 *
 * cc -O2 -o subscribe subscribe.c && ./subscribe 127.0.0.1 8080 /path 1000
 *
 * Prints "ready" once every stream is open. Then it reads from its input how many events there are,
 * and once all have come, or after ten more seconds, prints one line of JSON: how many were lost,
 * how many were out of order, and the median and the 99th percentile, in ms, of the time from an
 * event's own "timestamp" until it was read.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_LINE 1024
#define MAX_SAMPLES (1 << 22)
#define TIMED_EVERY 20
#define PATIENCE 10.0

struct reader {
  int fd;
  int timed;
  int open;
  long long count;
  long long last;
  long long wrong;
  size_t length;
  char line[MAX_LINE + 1];
};

static float *samples;
static size_t sample_count;
static int open_count;

static double clock_of(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

/* RFC 3339 in UTC with milliseconds, as seconds since the epoch. */
static double parse_time(const char *text) {
  struct tm tm = {0};
  int ms;
  if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d.%3dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
             &tm.tm_min, &tm.tm_sec, &ms) != 7) {
    return -1;
  }
  tm.tm_year -= 1900;
  tm.tm_mon -= 1;
  return timegm(&tm) + ms / 1000.0;
}

static void take_line(struct reader *r) {
  if (!r->open && strncmp(r->line, "HTTP/1.1 200", 12) == 0) {
    r->open = 1;
    open_count++;
  } else if (strncmp(r->line, "id: ", 4) == 0) {
    long long id = atoll(r->line + 4);
    if (r->last != 0 && id != r->last + 1) r->wrong++;
    r->last = id;
    r->count++;
  } else if (r->timed && strncmp(r->line, "data: ", 6) == 0) {
    char *at = strstr(r->line, "\"timestamp\":\"");
    double time = at ? parse_time(at + 13) : -1;
    if (time < 0 || sample_count == MAX_SAMPLES) return;
    samples[sample_count++] = (clock_of(CLOCK_REALTIME) - time) * 1000;
  }
}

static int take(struct reader *r) {
  static char bytes[1 << 16];
  ssize_t got = recv(r->fd, bytes, sizeof bytes, MSG_DONTWAIT);
  if (got < 0 && errno == EAGAIN) return 0;
  if (got <= 0) return -1;
  for (ssize_t i = 0; i < got; i++) {
    if (bytes[i] != '\n') {
      if (r->length < MAX_LINE) r->line[r->length++] = bytes[i];
      continue;
    }
    r->line[r->length] = 0;
    take_line(r);
    r->length = 0;
  }
  return 0;
}

static int ascending(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static float quantile(double q) {
  return sample_count == 0 ? -1 : samples[(size_t)(q * (sample_count - 1) + 0.5)];
}

static int all_have(struct reader *readers, int count, long long expected) {
  for (int i = 0; i < count; i++) {
    if (readers[i].count < expected) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: subscribe ADDRESS PORT PATH READERS\n");
    return 2;
  }
  int count = atoi(argv[4]);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
  char request[4096];
  int length = snprintf(request, sizeof request,
                        "GET %s HTTP/1.1\r\nHost: %s:%s\r\nAccept: text/event-stream\r\n\r\n", argv[3],
                        argv[1], argv[2]);
  if (inet_pton(AF_INET, argv[1], &address.sin_addr) != 1 || count < 1 ||
      length >= (int)sizeof request) {
    return 2;
  }
  samples = malloc(MAX_SAMPLES * sizeof *samples);
  struct reader *readers = calloc(count, sizeof *readers);
  if (!samples || !readers) return 2;
  int epoll = epoll_create1(0);
  for (int i = 0; i < count; i++) {
    struct reader *r = &readers[i];
    r->timed = i % TIMED_EVERY == 0;
    r->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (r->fd < 0 || connect(r->fd, (struct sockaddr *)&address, sizeof address) < 0) {
      perror("connect");
      return 1;
    }
    send(r->fd, request, length, MSG_NOSIGNAL);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = r};
    epoll_ctl(epoll, EPOLL_CTL_ADD, r->fd, &event);
  }
  struct epoll_event input = {.events = EPOLLIN, .data.ptr = NULL};
  epoll_ctl(epoll, EPOLL_CTL_ADD, STDIN_FILENO, &input);

  struct epoll_event events[256];
  int ready_told = 0;
  long long expected = -1;
  double until = 0;
  while (expected < 0 || (clock_of(CLOCK_MONOTONIC) < until && !all_have(readers, count, expected))) {
    int ready = epoll_wait(epoll, events, 256, 50);
    for (int i = 0; i < ready; i++) {
      struct reader *r = events[i].data.ptr;
      if (r == NULL) {
        char text[64] = {0};
        if (read(STDIN_FILENO, text, sizeof text - 1) <= 0) return 1;
        epoll_ctl(epoll, EPOLL_CTL_DEL, STDIN_FILENO, NULL);
        expected = atoll(text);
        until = clock_of(CLOCK_MONOTONIC) + PATIENCE;
      } else if (take(r) < 0) {
        epoll_ctl(epoll, EPOLL_CTL_DEL, r->fd, NULL);
      }
    }
    if (!ready_told && open_count == count) {
      ready_told = 1;
      printf("ready\n");
      fflush(stdout);
    }
  }
  long long lost = 0, wrong = 0;
  for (int i = 0; i < count; i++) {
    lost += expected - readers[i].count;
    wrong += readers[i].wrong;
  }
  qsort(samples, sample_count, sizeof *samples, ascending);
  printf("{\"lost\":%lld,\"wrong\":%lld,\"p50\":%.3f,\"p99\":%.3f}\n", lost, wrong, quantile(0.5),
         quantile(0.99));
  return 0;
}
