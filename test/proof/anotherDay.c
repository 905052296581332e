/* Loaded into every process of a proof: the clock, and the times of files that Node reads and sets, are SHIFT_S seconds ahead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <linux/stat.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

static int (*realClock)(clockid_t, struct timespec *);
static long (*realSyscall)(long, ...);
static int (*realSetTimes)(int, const char *, const struct timespec[2], int);
static int (*realSetFileTimes)(int, const struct timespec[2]);
static int (*realWait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*realSemaphoreWait)(sem_t *, const struct timespec *);

/* Before any signal: looking up a name inside a signal handler could stop the process for ever. */
__attribute__((constructor)) static void find(void) {
  if (realClock) return;
  realSyscall = dlsym(RTLD_NEXT, "syscall");
  realSetTimes = dlsym(RTLD_NEXT, "utimensat");
  realSetFileTimes = dlsym(RTLD_NEXT, "futimens");
  realWait = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  realSemaphoreWait = dlsym(RTLD_NEXT, "sem_timedwait");
  realClock = dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  find();
  int failed = realClock(clock, now);
  if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += SHIFT_S;
  return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  (void)zone;
  int failed = clock_gettime(CLOCK_REALTIME, &exact);
  *now = (struct timeval){exact.tv_sec, exact.tv_nsec / 1000};
  return failed;
}

time_t time(time_t *now) {
  struct timespec exact;
  clock_gettime(CLOCK_REALTIME_COARSE, &exact);
  if (now) *now = exact.tv_sec;
  return exact.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, now) == 0 ? base : 0;
}

/* A moment of the shifted clock as the kernel knows it. Moments of the monotonic clock are small, and stay. */
static struct timespec unshifted(const struct timespec *moment) {
  return (struct timespec){moment->tv_sec > 1000000000 ? moment->tv_sec - SHIFT_S : moment->tv_sec, moment->tv_nsec};
}

int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  find();
  struct timespec moment = unshifted(until);
  return realWait(condition, mutex, &moment);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  find();
  struct timespec moment = unshifted(until);
  return realSemaphoreWait(semaphore, &moment);
}

int utimensat(int folder, const char *path, const struct timespec times[2], int flags) {
  find();
  if (!times) return realSetTimes(folder, path, times, flags);
  struct timespec moments[2] = {unshifted(&times[0]), unshifted(&times[1])};
  return realSetTimes(folder, path, moments, flags);
}

int futimens(int file, const struct timespec times[2]) {
  find();
  if (!times) return realSetFileTimes(file, times);
  struct timespec moments[2] = {unshifted(&times[0]), unshifted(&times[1])};
  return realSetFileTimes(file, moments);
}

/* Node asks for the state of a file by the number of the call. */
long syscall(long number, ...) {
  va_list list;
  va_start(list, number);
  long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long), e = va_arg(list, long), f = va_arg(list, long);
  va_end(list);
  find();
  long result = realSyscall(number, a, b, c, d, e, f);
  if (number == SYS_statx && result == 0) {
    struct statx *state = (struct statx *)e;
    state->stx_atime.tv_sec += SHIFT_S;
    state->stx_btime.tv_sec += SHIFT_S;
    state->stx_ctime.tv_sec += SHIFT_S;
    state->stx_mtime.tv_sec += SHIFT_S;
  }
  return result;
}
