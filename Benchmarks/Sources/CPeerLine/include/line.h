/* How a peer that is a program of its own is asked for samples: a line with a number comes in, a line with that many samples goes out. */

#include <stdint.h>

/* CLOCK_MONOTONIC in nanoseconds. */
int64_t line_now(void);

/* Says what has failed and ends the program. */
void line_fail(const char *what) __attribute__((noreturn));

/* Tells the benchmark that the peer can be asked, by an empty line. */
void line_ready(void);

/* For each line that comes in, asks `sample` for as many nanoseconds as it says; returns at the end of the input. */
void line_serve(double (*sample)(int number));
