/* Tables of the program's commands and their flags, for the parser, --help and suggestions. */
#ifndef PUDDLE_CLI_FLAGS_H
#define PUDDLE_CLI_FLAGS_H

#include <stdbool.h>
#include <stddef.h>

struct options;

enum {
    FOR_WINDOW = 1 << 0,
    FOR_RUN = 1 << 1,
    FOR_RENDER = 1 << 2,
    FOR_BENCH = 1 << 3,
    FOR_CHECK = 1 << 4,
    FOR_LIST = 1 << 5,
    FOR_REPLAY = 1 << 6,
    FOR_END = 1 << 7, /* first bit above those of the commands */
    FOR_ALL = FOR_END - 1,
    FOR_WORLD = FOR_WINDOW | FOR_RUN | FOR_RENDER,
};

typedef struct command_info {
    const char *name;    /* name on the command line; "" for the window */
    unsigned bit;        /* bit of the command in flag_info.commands */
    const char *usage;   /* arguments in the help, without "puddle ": "check SCENE... [options]" */
    const char *summary; /* what the command does, for the help */
    const char *example; /* example of a command line for the help, without "puddle " */
    int max_arguments;   /* greatest number of arguments that are not flags */
    bool needs_scene;    /* the command requires a scene argument or --load */
    int (*run)(const struct options *options); /* runs the command and returns the exit code */
} command_info;

typedef enum flag_kind {
    FLAG_SWITCH,    /* bool */
    FLAG_TEXT,      /* const char *: any text */
    FLAG_COUNT,     /* int from low to high */
    FLAG_LONG,      /* long long from low to high */
    FLAG_NUMBER,    /* double from low to high */
    FLAG_RECORDING, /* const char *: path of a recording */
    FLAG_SIZE,      /* WIDTHxHEIGHT, each from low to high, for options.width and options.height */
    FLAG_SUBSTEPS,  /* int from low to high: number of substeps; "auto": -1 */
    FLAG_SEED,      /* uint64_t: seed of the random numbers */
    FLAG_SETTING,   /* KEY=VALUE of a parameter; the flag may be repeated */
    FLAG_METHOD,    /* name of a method */
    FLAG_COMPARE,   /* names of two methods, as in "ddr,flip", for options.compared */
    FLAG_VIEW,      /* name of a view */
    FLAG_LINES,     /* const char *: name of the lines drawn over a view: none, contours, streamlines, arrows */
    FLAG_PALETTE,   /* name of a palette */
    FLAG_QUALITY,   /* int: a pd_quality */
    FLAG_CAMERA,    /* X,Y,ZOOM for options.camera and zoom */
    FLAG_COLOR,     /* colour for options.background, or "none" */
    FLAG_SIMD,      /* const char *: a word of simd_words */
} flag_kind;

typedef struct flag_info {
    const char *name;         /* name on the command line: "--steps" */
    const char *letter;       /* short form of the name: "-o"; NULL: none */
    const char *argument;     /* placeholder of the value in the help: "N"; NULL for a switch */
    unsigned commands;        /* bits of the commands that have the flag */
    flag_kind kind;           /* type of the value */
    size_t offset;            /* offset of the value in struct options, bytes */
    double low, high;         /* range of the value, if it is a number */
    const char *help;         /* text of the help; --help appends the words that flag_list_words lists */
    const char *window_help;  /* text for the command without a name (the window); NULL: `help` */
    unsigned special;         /* bit of another command with a text of its own; 0: none */
    const char *special_help; /* text for that command */
} flag_info;

extern const command_info commands[];
extern const int command_count;
extern const flag_info flags[];
extern const int flag_count;

/* All words that --simd can have: "auto" and the SIMD levels. A processor may lack some levels. */
enum { SIMD_WORDS = 5 };
extern const char *const simd_words[SIMD_WORDS];

/* Returns the command of this name, or NULL. */
const command_info *command_find(const char *name);
/* Returns the flag of a name ("--steps") or short form ("-o"), or NULL. */
const flag_info *flag_find(const char *name);
/* Writes the words that a flag accepts to `text`: "surface, sprites or speed" for --view. A flag without
 * words gives "". Returns `text`. */
char *flag_list_words(const flag_info *flag, char *text, size_t size);
/* Writes a flag with its short form and the placeholder of its value to `text`: "-o, --output PLACE". Returns `text`. */
char *flag_write_usage(const flag_info *flag, char *text, size_t size);
/* Returns the help text of a flag. command_bit: command_info.bit of the command whose help is printed. */
const char *flag_help(const flag_info *flag, unsigned command_bit);

#endif
