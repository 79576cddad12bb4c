/* Text of manual pages in roff, the language of man(1). */
#ifndef PUDDLE_CLI_PAGES_ROFF_H
#define PUDDLE_CLI_PAGES_ROFF_H

/* Prints a UTF-8 text so that roff shows it unchanged. */
void roff_print(const char *text);

#endif
