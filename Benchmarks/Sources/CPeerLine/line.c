#include "line.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int64_t line_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void line_fail(const char *what) {
    fprintf(stderr, "peer: %s\n", what);
    exit(1);
}

void line_ready(void) {
    puts("");
    fflush(stdout);
}

void line_serve(double (*sample)(int number)) {
    static int number = 0;
    char line[64];
    line_ready();
    while (fgets(line, sizeof line, stdin)) {
        int count = atoi(line);
        for (int index = 0; index < count; index++) printf("%s%.2f", index ? " " : "", sample(number++));
        puts("");
        fflush(stdout);
    }
}
