/* main(). Everything else of the program is a library, so that tests can call it. */
#include "cli/commands.h"

int main(int argc, char **argv) { return run_program(argc, argv); }
