/*
 * A load client that costs next to nothing: keep-alive requests on some connections, the body of
 * the answer thrown away in the kernel (MSG_TRUNC), so that what is measured is the server.
 *
 * cc -O2 -o discard discard.c && ./discard 127.0.0.1 8080 /path 16 2.0 200 '' '' 0 0
 *
 * The last five: the status that counts as an answer; a header line to send, if any; a JSON body to
 * post, if any; after how many answers to end, 0 for time alone; how many ms a connection rests
 * after an answer with another status.
 *
 * Prints one line of JSON: complete answers, body bytes, refused (another status) and broken ones,
 * seconds, the median and the 99th percentile of the latencies in ms, and those of refusals.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_HEAD 8192
#define MAX_SAMPLES (1 << 22)
#define PIECE (4 << 20)

struct connection {
  int fd;
  int in_body;
  int ok;
  long long left;
  size_t head_length;
  char head[MAX_HEAD + 1];
  double started;
  double resting_until;
};

struct latencies {
  float *samples;
  size_t count;
};

static struct sockaddr_in address;
static char request[4096];
static size_t request_length;
static int epoll;
static long long complete, refused, broken, body_bytes;
static struct latencies answered, refusals;
static char *sink;
static int status, resting;
static double rest;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec / 1e9;
}

static void ask(struct connection *c) {
  c->in_body = 0;
  c->head_length = 0;
  c->started = now();
  /* Where the server has closed, the next read tells. */
  send(c->fd, request, request_length, MSG_NOSIGNAL);
}

static void open_connection(struct connection *c) {
  int one = 1;
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&address, sizeof address) < 0) {
    perror("connect");
    exit(1);
  }
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event);
  ask(c);
}

static void note(struct latencies *l, double started) {
  if (l->count < MAX_SAMPLES) l->samples[l->count++] = (now() - started) * 1000;
}

static void finish(struct connection *c) {
  if (c->ok) {
    complete++;
    note(&answered, c->started);
  } else {
    refused++;
    note(&refusals, c->started);
    if (rest > 0) {
      c->resting_until = now() + rest;
      resting++;
      return;
    }
  }
  ask(c);
}

/* Goes on with connections that have rested. */
static void wake(struct connection *connections, int count) {
  double time = now();
  for (int i = 0; i < count; i++) {
    struct connection *c = &connections[i];
    if (c->resting_until == 0 || time < c->resting_until) continue;
    c->resting_until = 0;
    resting--;
    ask(c);
  }
}

/* The end of a broken connection: counted, and opened again. */
static void restart(struct connection *c) {
  broken++;
  if (c->resting_until != 0) resting--;
  c->resting_until = 0;
  close(c->fd);
  open_connection(c);
}

static void read_head(struct connection *c) {
  ssize_t got = recv(c->fd, c->head + c->head_length, MAX_HEAD - c->head_length, MSG_DONTWAIT | MSG_PEEK);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) {
    restart(c);
    return;
  }
  c->head[c->head_length + got] = 0;
  char *end = strstr(c->head, "\r\n\r\n");
  size_t take = end ? (size_t)(end + 4 - c->head) - c->head_length : (size_t)got;
  recv(c->fd, c->head + c->head_length, take, 0);
  c->head_length += take;
  if (!end) {
    if (c->head_length == MAX_HEAD) restart(c);
    return;
  }
  char *length = strcasestr(c->head, "\r\ncontent-length:");
  int answered = atoi(c->head + 9);
  if ((!length || length > end) && answered != 304) {
    fprintf(stderr, "no Content-Length\n");
    exit(1);
  }
  c->ok = answered == status;
  c->left = answered == 304 ? 0 : atoll(length + 17);
  c->in_body = 1;
  if (c->left == 0) finish(c);
}

static void drop_body(struct connection *c) {
  size_t most = c->left < PIECE ? (size_t)c->left : PIECE;
  ssize_t got = recv(c->fd, sink, most, MSG_DONTWAIT | MSG_TRUNC);
  if (got < 0 && errno == EAGAIN) return;
  if (got <= 0) {
    restart(c);
    return;
  }
  c->left -= got;
  if (c->ok) body_bytes += got;
  if (c->left == 0) finish(c);
}

static int ascending(const void *a, const void *b) {
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static float quantile(struct latencies *l, double q) {
  return l->count == 0 ? -1 : l->samples[(size_t)(q * (l->count - 1) + 0.5)];
}

static void prepare(struct latencies *l) {
  l->samples = malloc(MAX_SAMPLES * sizeof *l->samples);
  if (!l->samples) exit(2);
}

int main(int argc, char **argv) {
  if (argc != 11) {
    fprintf(stderr,
            "usage: discard ADDRESS PORT PATH CONNECTIONS SECONDS STATUS HEADER BODY MOST REST\n");
    return 2;
  }
  int count = atoi(argv[4]);
  double seconds = atof(argv[5]);
  address.sin_family = AF_INET;
  address.sin_port = htons(atoi(argv[2]));
  if (inet_pton(AF_INET, argv[1], &address.sin_addr) != 1 || count < 1 || count > 1024) return 2;
  char *body = argv[8];
  char body_fields[128] = "";
  if (*body) {
    snprintf(body_fields, sizeof body_fields,
             "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
  }
  request_length = snprintf(request, sizeof request, "%s %s HTTP/1.1\r\nHost: %s:%s\r\n%s%s%s\r\n%s",
                            *body ? "POST" : "GET", argv[3], argv[1], argv[2], argv[7],
                            *argv[7] ? "\r\n" : "", body_fields, body);
  status = atoi(argv[6]);
  long long most = atoll(argv[9]);
  rest = atof(argv[10]) / 1000;
  prepare(&answered);
  prepare(&refusals);
  sink = malloc(PIECE);
  struct connection *connections = calloc(count, sizeof *connections);
  if (!sink || !connections || request_length >= sizeof request) return 2;
  epoll = epoll_create1(0);

  double start = now();
  for (int i = 0; i < count; i++) open_connection(&connections[i]);
  struct epoll_event events[64];
  while (now() - start < seconds && (most == 0 || complete < most)) {
    int ready = epoll_wait(epoll, events, 64, resting > 0 ? 1 : 100);
    if (resting > 0) wake(connections, count);
    for (int i = 0; i < ready; i++) {
      struct connection *c = events[i].data.ptr;
      if (c->in_body) drop_body(c);
      else read_head(c);
    }
  }
  double elapsed = now() - start;
  qsort(answered.samples, answered.count, sizeof(float), ascending);
  qsort(refusals.samples, refusals.count, sizeof(float), ascending);
  printf("{\"complete\":%lld,\"bytes\":%lld,\"refused\":%lld,\"broken\":%lld,\"seconds\":%.3f,"
         "\"p50\":%.3f,\"p99\":%.3f,\"refusalP50\":%.3f,\"refusalP99\":%.3f}\n",
         complete, body_bytes, refused, broken, elapsed, quantile(&answered, 0.5),
         quantile(&answered, 0.99), quantile(&refusals, 0.5), quantile(&refusals, 0.99));
  return 0;
}
