#include "cli/commands.h"

#include <string.h>

static int run_command(const options *options) {
    static const struct {
        const char *name;
        int (*run)(const struct options *);
    } table[] = {
        {"", command_window},     {"run", command_run},     {"render", command_render},
        {"bench", command_bench}, {"check", command_check}, {"list", command_list},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, options->command) == 0) return table[i].run(options);
    return PD_BAD_INPUT;
}

int main(int argc, char **argv) {
    static options options;
    pd_error error;
    open_standard_files();
    catch_signals();
    if (options_parse(argc > 0 ? argc - 1 : 0, argv + 1, &options, &error) != PD_OK) return report(&error);
    int code = 0;
    if (options.help)
        print_help(options.command);
    else if (options.version)
        print_version();
    else if (options_simd(&options, &error) != PD_OK)
        code = report(&error);
    else
        code = run_command(&options);
    return close_output(code);
}
