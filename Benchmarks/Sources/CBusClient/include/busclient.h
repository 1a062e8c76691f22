/* The caller's side of the benchmarks, in C so that next to nothing of what is measured is its own: the same for every service. */

#include <stdint.h>

struct bus_client;

/* Which method of org.defaultsd1.Preferences is called. */
enum bus_call { BUS_GET = 0, BUS_SET = 1, BUS_GET_ALL = 2, BUS_APPLY = 3 };

/* Connects to the bus at an address; NULL where that fails. */
struct bus_client *bus_client_open(const char *address);

void bus_client_close(struct bus_client *client);

/* Makes `count` calls to the service of that name, `outstanding` of them under way at once, about the keys setting-0 to
   setting-(keys - 1) of a domain. The number of the first call is `first`: Set writes it, and each call after it one more. BUS_APPLY
   writes all keys in one call. The nanoseconds of each call go to `latencies`. Returns how long all took; -1 after an error, which is
   on standard error then. */
int64_t bus_client_calls(struct bus_client *client, const char *service, enum bus_call call, const char *domain, int keys, int64_t first,
                         int count, int outstanding, int64_t *latencies);

/* Overwrites the next so many bytes of the file, of which it uses 2 MiB, and waits until they are on disk; returns the nanoseconds, -1 after an error. */
int64_t bus_client_fdatasync(int file, int bytes);
