/* Files that the build makes from the program's tables: manual pages and completions of shells. The program
 * puddle_pages writes them; it is not installed. All functions print to standard output. */
#ifndef PUDDLE_CLI_PAGES_PAGES_H
#define PUDDLE_CLI_PAGES_PAGES_H

#include "cli/flags.h"

/* man.c */
/* Print the pages puddle(1), puddle-COMMAND(1), puddle-scene(5) and puddle-log(5). */
void page_print_program(void);
void page_print_command(const command_info *command);
void page_print_scene_format(void);
void page_print_log_format(void);

/* Arguments of a command that are not flags. */
typedef enum page_argument { ARGUMENT_NONE, ARGUMENT_SCENE, ARGUMENT_LOG, ARGUMENT_LIST } page_argument;

/* values.c: what the completions know about arguments and values of flags. The texts have words, separated by
 * blanks. */
enum { PAGE_WORDS = 8192 }; /* size of a text with words, bytes */
page_argument page_argument_of(const command_info *command);
/* Writes the endings of the files that a flag names: "csv vtk". "": it names no file. Returns text. */
char *page_write_endings(const flag_info *flag, char *text, size_t size);
/* Writes the words that the value of a flag can be. For --set: the keys, each with '=' behind it. Returns text. */
char *page_write_words(const flag_info *flag, char text[PAGE_WORDS]);
/* Writes the values of a parameter: "true false" or its choices. "": a number. Returns text. */
char *page_write_parameter_values(int method, int index, char text[PAGE_WORDS]);
/* Write the names of the bundled scenes, of the commands, and of the tables of `puddle list`. Return text. */
char *page_write_scenes(char text[PAGE_WORDS]);
char *page_write_commands(char text[PAGE_WORDS]);
char *page_write_lists(char text[PAGE_WORDS]);

/* bash.c, zsh.c, fish.c */
void page_print_bash(void);
void page_print_zsh(void);
void page_print_fish(void);

#endif
