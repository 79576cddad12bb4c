/* The program from its arguments to its exit code. */
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/output/picture.h"
#include "platform/platform.h"

int run_program(int argc, char **argv) {
    static options options;
    pd_error error;
    pd_os_open_standard_streams(); /* first, before any other file is opened */
    pd_os_catch_signals();
    pd_scene_set_picture_reader(picture_read);
    if (options_parse(argc > 0 ? argc - 1 : 0, argv + 1, &options, &error) != PD_OK) return report_error(&error);
    int code = 0;
    if (options.help)
        print_help(options.command);
    else if (options.version)
        print_version();
    else if (options_select_simd(&options, &error) != PD_OK)
        code = report_error(&error);
    else
        code = command_find(options.command)->run(&options);
    return flush_output_and_choose_exit_code(code);
}
