/* getopt and getopt_long with a state of the rank's own (optind and its neighbours included), by
 * POSIX XBD 12.2 and the GNU manual (Getopt, Getopt Long Options): arguments that are no options
 * are moved behind them, unless POSIXLY_CORRECT or the options begin with '+'; with '-' each is
 * reported as option 1. Messages are glibc's. */
#include "program/program.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each the program's variable of that name. */
STAND_IN char *optarg;
STAND_IN int optind = 1, opterr = 1, optopt = '?';

static char *next;                /* the rest of a cluster such as -abc */
static int first_word, last_word; /* words passed over: [first_word, last_word) */

/* The words passed over go behind the options [last_word, optind). */
static void move_words(char **argv)
{
    for (int i = last_word, words = last_word - first_word; i < optind; i++) {
        char *option = argv[i];
        for (int j = i; j > i - words; j--) argv[j] = argv[j - 1];
        argv[i - words] = option;
    }
    first_word += optind - last_word;
    last_word = optind;
}

static int complain(const char *program, const char *format, const char *what, const char *options)
{
    while (*options == '+' || *options == '-') options++;
    if (opterr && *options != ':') {
        fprintf(stderr, "%s: ", program);
        fprintf(stderr, format, what);
        fputc('\n', stderr);
    }
    return '?';
}

static int missing(const char *options)
{
    while (*options == '+' || *options == '-') options++;
    return *options == ':' ? ':' : '?';
}

/* A long option at `name` ("speed=3"); -1: none of that name, and it may be a cluster of short
 * ones. */
static int long_option(int argc, char **argv, const char *options,
                       const struct option *options_long, int *which, char *name,
                       const char *dashes, bool or_short)
{
    size_t length = strcspn(name, "=");
    int found = -1, matches = 0;
    for (int i = 0; options_long[i].name; i++) {
        if (strncmp(options_long[i].name, name, length) != 0) continue;
        if (strlen(options_long[i].name) == length) {
            found = i;
            matches = 1;
            break;
        }
        bool same = found >= 0 && options_long[found].has_arg == options_long[i].has_arg &&
                    options_long[found].flag == options_long[i].flag &&
                    options_long[found].val == options_long[i].val;
        if (!same) matches++;
        if (found < 0) found = i;
    }
    char shown[256];
    if (matches == 0 && or_short) return -1;
    optind++;
    next = NULL;
    optopt = 0;
    if (matches != 1) {
        snprintf(shown, sizeof shown, "%s%s", dashes, name);
        return complain(argv[0], matches ? "option '%s' is ambiguous" : "unrecognized option '%s'",
                        shown, options);
    }
    const struct option *o = &options_long[found];
    snprintf(shown, sizeof shown, "%s%s", dashes, o->name);
    if (name[length] == '=') {
        if (o->has_arg == no_argument) {
            optopt = o->val;
            return complain(argv[0], "option '%s' doesn't allow an argument", shown, options);
        }
        optarg = name + length + 1;
    } else if (o->has_arg == required_argument) {
        if (optind >= argc) {
            optopt = o->val;
            complain(argv[0], "option '%s' requires an argument", shown, options);
            return missing(options);
        }
        optarg = argv[optind++];
    }
    if (which) *which = found;
    if (!o->flag) return o->val;
    *o->flag = o->val;
    probe_calls.gave(o->flag, sizeof *o->flag, (uintptr_t)__builtin_return_address(0));
    return 0;
}

static int short_option(int argc, char **argv, const char *options)
{
    char c = *next++, name[2] = {c, '\0'};
    const char *known = c == ':' || c == ';' ? NULL : strchr(options, c);
    if (!*next) {
        optind++;
        next = NULL;
    }
    if (!known) {
        optopt = (unsigned char)c;
        return complain(argv[0], "invalid option -- '%s'", name, options);
    }
    if (known[1] != ':') return (unsigned char)c;
    if (next) {
        optarg = next;
        optind++;
    } else if (known[2] != ':') {
        if (optind >= argc) {
            optopt = (unsigned char)c;
            complain(argv[0], "option requires an argument -- '%s'", name, options);
            return missing(options);
        }
        optarg = argv[optind++];
    }
    next = NULL;
    return (unsigned char)c;
}

static int next_option(int argc, char **argv, const char *options,
                       const struct option *options_long, int *which, bool one_dash)
{
    bool in_place = *options == '-',
         stop = *options == '+' || (!in_place && getenv("POSIXLY_CORRECT"));
    optarg = NULL;
    if (optind == 0) { /* the GNU way to start again */
        optind = 1;
        next = NULL;
        first_word = last_word = 0;
    }
    if (first_word > optind) first_word = optind;
    if (last_word > optind) last_word = optind;
    if (next && *next) return short_option(argc, argv, options);
    if (first_word == 0) first_word = last_word = optind;
    if (!stop && !in_place) {
        if (first_word != last_word && last_word != optind)
            move_words(argv);
        else if (last_word != optind)
            first_word = optind;
        while (optind < argc && (argv[optind][0] != '-' || !argv[optind][1])) optind++;
        last_word = optind;
    }
    if (optind < argc && strcmp(argv[optind], "--") == 0) {
        optind++;
        if (first_word != last_word && last_word != optind)
            move_words(argv);
        else if (first_word == last_word)
            first_word = optind;
        last_word = optind = argc;
    }
    if (optind >= argc) {
        if (first_word != last_word) optind = first_word;
        return -1;
    }
    char *word = argv[optind];
    if (word[0] != '-' || !word[1]) {
        if (!in_place) return -1;
        optarg = word;
        optind++;
        return 1;
    }
    if (options_long && word[1] == '-')
        return long_option(argc, argv, options, options_long, which, word + 2, "--", false);
    if (options_long && one_dash && (word[2] || !strchr(options, word[1]))) {
        int c = long_option(argc, argv, options, options_long, which, word + 1, "-",
                            strchr(options, word[1]) != NULL);
        if (c != -1) return c;
    }
    next = word + 1;
    return short_option(argc, argv, options);
}

STAND_IN int getopt(int argc, char *const argv[], const char *options)
{
    return next_option(argc, (char **)(uintptr_t)argv, options, NULL, NULL, false);
}
STAND_IN int getopt_long(int argc, char *const argv[], const char *options,
                         const struct option *options_long, int *which)
{
    return next_option(argc, (char **)(uintptr_t)argv, options, options_long, which, false);
}
STAND_IN int getopt_long_only(int argc, char *const argv[], const char *options,
                              const struct option *options_long, int *which)
{
    return next_option(argc, (char **)(uintptr_t)argv, options, options_long, which, true);
}
