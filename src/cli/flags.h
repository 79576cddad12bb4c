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
    FOR_END = 1 << 7, /* bit after the bit of the last command */
    FOR_ALL = FOR_END - 1,
    FOR_WORLD = FOR_WINDOW | FOR_RUN | FOR_RENDER,
};

typedef struct command_info {
    const char *name;  /* name on the command line; "" for the window */
    unsigned bit;      /* bit of the command in flag_info.commands */
    const char *usage; /* usage in the help, behind "puddle " */
    const char *summary;
    const char *example; /* command line for the help, behind "puddle " */
    int max_arguments;
    bool needs_scene;                          /* whether a scene or --load is required */
    int (*run)(const struct options *options); /* runs the command and returns the exit code */
} command_info;

typedef enum flag_kind {
    FLAG_SWITCH,    /* bool */
    FLAG_TEXT,      /* const char * */
    FLAG_COUNT,     /* int from low to high */
    FLAG_LONG,      /* long long from low to high */
    FLAG_NUMBER,    /* double from low to high */
    FLAG_RECORDING, /* const char *: path of a recording */
    FLAG_SIZE,      /* WxH for options.width and height, each from low to high */
    FLAG_SUBSTEPS,  /* number of substeps, or "auto" */
    FLAG_SEED,      /* 64-bit number */
    FLAG_SETTING,   /* KEY=VALUE, may be repeated */
    FLAG_METHOD,    /* name of a method */
    FLAG_COMPARE,   /* names of two methods, for options.compared */
    FLAG_VIEW,      /* name of a view */
    FLAG_LINES,     /* const char *: name of lines over a view */
    FLAG_PALETTE,   /* name of a palette */
    FLAG_QUALITY,   /* int: a pd_quality */
    FLAG_CAMERA,    /* X,Y,ZOOM for options.camera and zoom */
    FLAG_COLOR,     /* colour for options.background, or "none" */
    FLAG_SIMD,      /* const char *: a word of simd_words */
} flag_kind;

typedef struct flag_info {
    const char *name;     /* name: "--steps" */
    const char *letter;   /* short form: "-o"; NULL: none */
    const char *argument; /* name of the value in the help: "N"; NULL for a switch */
    unsigned commands;    /* bits of the commands that have the flag */
    flag_kind kind;
    size_t offset;           /* offset of the value in options */
    double low, high;        /* range of a number */
    const char *help;        /* help; --help appends the values that flag_list_words lists */
    const char *window_help; /* help in the window's list of flags; NULL: the same as `help` */
} flag_info;

extern const command_info commands[];
extern const int command_count;
extern const flag_info flags[];
extern const int flag_count;

/* Number of words that --simd accepts on any processor. */
enum { SIMD_WORDS = 5 };
extern const char *const simd_words[SIMD_WORDS];

/* Returns the command of this name, or NULL. */
const command_info *command_find(const char *name);
/* Returns the flag of a name ("--steps") or short form ("-o"), or NULL. */
const flag_info *flag_find(const char *name);
/* Lists the words of a flag for a view, lines, palette or SIMD level: "surface, sprites or speed". "" for other flags.
 * Returns text. */
char *flag_list_words(const flag_info *flag, char *text, size_t size);
/* Writes a flag with its short form and the name of its value: "-o, --output PLACE". Returns text. */
char *flag_write_usage(const flag_info *flag, char *text, size_t size);
/* Returns the help of a flag for a command. command: bit of the command. */
const char *flag_help(const flag_info *flag, unsigned command);

#endif
