/* The command line: tests that run the program. */
#include "command.h"

#include <puddle/method.h>

#include "cli/output/columns.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Arguments, and what the message says. */
static const char *const wrong_usage[][2] = {
    {"--stepz 3", "did you mean '--steps'"},
    {"run", "needs a scene"},
    {"run drop", "--steps N or --seconds S"},
    {"run drop --steps", "needs a value"},
    {"run drop --steps --json", "needs a value"},
    {"run drop --steps x", "whole number"},
    {"run drop --steps 1.5", "whole number"},
    {"run drop --steps -1", "whole number"},
    {"run drop --seconds nan", "number from"},
    {"run drop --seconds 1 --steps 1", "leave one out"},
    {"run drop --steps 1 --dt 0", "--dt is '0'"},
    {"run drop --steps 1 --substeps many", "or auto"},
    {"run drop --steps 1 --threads 0", "1 to 64"},
    {"run drop --steps 1 --threads 65", "1 to 64"},
    {"run drop --steps 1 --particles 0", "1 to 10000000"},
    {"run drop --steps 1 --particles 10000001", "1 to 10000000"},
    {"run drop --steps 1 --seed -1", "2^64-1"},
    {"run drop --steps 1 --seed 18446744073709551616", "2^64-1"},
    {"run drop --steps 1 --json=yes", "takes no value"},
    {"run drop --steps 1 --fps 30", "does not go with puddle run"},
    {"run drop --steps 1 --set ddr.stiffness", "KEY=VALUE"},
    {"run drop --steps 1 --set ddr.stifness=2", "did you mean 'ddr.stiffness'"},
    {"run drop --steps 1 --set ddr.stiffness=-1", "0.01 to 10000"},
    {"run drop --steps 1 --set ddr.stiffness=soft", "0.01 to 10000"},
    {"run drop --steps 1 --method honey", "--method is 'honey' (use ddr, sph"},
    {"run drop pool --steps 1", "unexpected argument 'pool'"},
    {"run drip --steps 1", "did you mean 'drop'"},
    {"run drop --steps 1 --simd fast", "--simd is 'fast' (use auto, baseline, avx2, avx512 or neon)"},
    {"check drop --simd avx2", "does not go with puddle check"},
    {"run '' --steps 1", "unknown scene ''"},
    {"run missing.yaml --steps 1", "No such file"},
    {"run . --steps 1", "folder"},
    {"run /dev/zero --steps 1", "not a regular file"},
    {"run drop --steps 1 --state state.txt", ".csv, .vtk or .npz"},
    {"run drop --steps 1 --state-every 2", "--state FILE.csv"},
    {"run drop --steps 1 --stats a.csv --state a.csv", "is the file of two outputs"},
    {"run --load missing.puddle --steps 1", "No such file"},
    {"run --load err --steps 1", "not a snapshot"},
    {"run drop --load x.puddle --steps 1", "does not go with --load"},
    {"run --load x.puddle --seed 2 --steps 1", "does not go with --load"},
    {"render drop", "-o DIR"},
    {"render drop -o frames --size 10", "WIDTHxHEIGHT, each from 16 to 65536"},
    {"render drop -o film.avi", "use .mp4, .webm, .mov, .gif or .png, or for a folder 'film.avi/'"},
    {"render drop -o a/film.MKV", "'.MKV' is no known format"},
    {"pool --continue", "a scene does not go with --continue"},
    {"--continue --record film", "--record does not go with --continue"},
    {"--continue --log run.log", "--log does not go with --continue"},
    {"render drop -o film.mp4 --camera 0.5,0", "use X,Y,ZOOM"},
    {"render drop -o film.mp4 --camera 0.5,0,0", "use X,Y,ZOOM"},
    {"render drop -o film.mp4 --camera 0.5,x,2", "use X,Y,ZOOM"},
    {"replay run.log --camera 0.5,0,2", "--camera needs frames"},
    {"render drop -o - --json", "--json does not go with -o -"},
    {"--record -", "cannot write to standard output"},
    {"--record film.avi", "is no known format"},
    {"--record ''", "--record is ''"},
    {"render drop -o frames --size 0x100", "WIDTHxHEIGHT"},
    {"render drop -o frames --view xray",
     "--view is 'xray': the method ddr has no such view (use surface, sprites, speed"},
    {"render drop -o frames --lines dots", "--lines is 'dots' (use none, contours, streamlines or arrows)"},
    {"render drop -o frames --lines contours",
     "--lines is 'contours': the view surface of the method ddr has no such lines (use none)"},
    {"drop --lines arrows", "--lines is 'arrows': the view surface of the method ddr has no such lines (use none)"},
    {"render two-drops -o frames --method flip --lines contours",
     "the view surface of the method flip has no such lines (use none, streamlines, arrows, or --view "
     "pressure"},
    {"render paint -o frames --lines contours", ", or --view speed or pressure or vorticity"},
    {"render drop -o frames --palette xray", "--palette is 'xray'"},
    {"render drop -o frames --steps 0", "render would draw no frame: 0 steps of 0.01667 s are shorter"},
    {"render drop -o frames --seconds 0.01 --fps 10",
     "no frame: 1 step of 0.01667 s is shorter than a frame at 10 fps (use --steps 6 or more)"},
    {"bench --frames 3", "does not go with puddle bench"},
    {"run drop --steps 1 --stats - --json", "--json does not go with --stats -: both write to standard output"},
    {"run drop --steps 1 --save -", "--save is '-' (use FILE.puddle)"},
    {"run drop --steps 1 --set gravity=3", "unknown parameter 'gravity' (use METHOD.KEY of "},
    {"run drop --steps 1 --set water.mass=2", "unknown parameter 'water.mass' (use METHOD.KEY of "},
    {"run drop --steps 1 --set viscosty=2", "unknown parameter 'viscosty' (did you mean 'sph.viscosity'?"},
    {"check", "needs a scene"},
    {"list", "methods, scenes, parameters, materials, keys, scene-keys, flags, log-lines, views or statistics"},
    {"list colours", "methods, scenes, parameters, materials, keys, scene-keys, flags, log-lines, views or statistics"},
    {"replay x.log", "No such file"},
    {"replay", "replay needs a log"},
    {"replay x.log --alpha", "--alpha needs frames to write"},
    {"replay x.log -o - --json", "--json does not go with -o -"},
    {"replay x.log --seed 3", "--seed does not go with puddle replay"},
};

static void wrong_usage_is_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong_usage / sizeof *wrong_usage; i++)
        assert_error(wrong_usage[i][0], 2, wrong_usage[i][1]);
    assert_false(exists("a.csv"));
    assert_false(exists("frames"));
}

static void inputs_that_never_end_do_not_hang(void **state) {
    (void)state;
    assert_int_equal(mkfifo(at("pipe.yaml"), 0600), 0);
    assert_error("run pipe.yaml --steps 1", 2, "not a regular file");
    assert_error("check pipe.yaml", 2, "not a regular file");
    assert_error("run --load pipe.yaml --steps 1", 2, "not a regular file");
}

static void outputs_that_cannot_be_written_are_failures(void **state) {
    (void)state;
    assert_error("run drop --steps 1 --stats nowhere/a.csv", 1, "create its folder");
    assert_error("run drop --steps 1 --state nowhere/a.csv", 1, "create its folder");
    assert_error("run drop --steps 1 --save nowhere/a.puddle", 1, "create its folder");
    assert_error("run drop --steps 1 --save .", 1, "name a file in it");
    assert_error("run drop --steps 1 --stats /dev/full", 1, "No space left");
    assert_error("run drop --steps 1 --save /dev/full", 1, "No space left");
    /* The same holds for standard output. */
    static const char *const commands[] = {"list flags --json", "run drop --steps 1 --particles 100 --stats -",
                                           "run drop --steps 1 --particles 100 --quiet --save /dev/fd/1",
                                           "render drop -o - --frames 1 --size 32x32 --particles 100"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "%s >/dev/full", commands[i]);
        assert_error(arguments, 1, "cannot write to standard output: No space left on device (check where it goes)");
        snprintf(arguments, sizeof arguments, "%s >&-", commands[i]);
        assert_error(arguments, 1, "cannot write to standard output: it is closed (check where it goes)");
    }
}

/* An output whose path leads to an input, in any spelling or through links, is refused. */
static void inputs_are_not_written_over(void **state) {
    (void)state;
    static const char scene[] = "puddle: 1\nparticles: 100\nregions: [{shape: circle, center: [0, 0], radius: 0.5}]\n";
    write_text("my.yaml", scene);
    write_text("my_000002.csv", scene);
    shell("ln my.yaml hard.csv && ln -s my.yaml soft.csv && mkdir -p sub");
    assert_int_equal(run("run my.yaml --steps 1 --save my.puddle --quiet"), 0);
    char *snapshot = read_text("my.puddle");
    static const char *const over[] = {
        "run my.yaml --steps 1 --stats my.yaml",
        "run my.yaml --steps 1 --stats ./my.yaml",
        "run ./my.yaml --steps 1 --stats sub/../my.yaml",
        "run my.yaml --steps 1 --stats hard.csv",
        "run soft.csv --steps 1 --stats my.yaml",
        "run my.yaml --steps 1 --save my.yaml",
        "run my.yaml --steps 1 --state soft.csv",
        "run my_000002.csv --steps 1 --state my.csv --state-every 2",
        "run --load my.puddle --steps 1 --stats ./my.puddle",
        "render my.yaml -o frames --steps 1 --stats my.yaml",
        "my.yaml --frames 1 --stats my.yaml",
    };
    static const char *const twice[] = {
        "run my.yaml --steps 1 --stats a.csv --state ./a.csv",
        "run my.yaml --steps 1 --stats a.csv --save sub/../a.csv",
        "run my.yaml --steps 1 --stats my_000002.csv --state my.csv --state-every 2",
    };
    for (size_t i = 0; i < sizeof over / sizeof *over; i++) assert_error(over[i], 2, "would overwrite the input");
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++) assert_error(twice[i], 2, "is the file of two outputs");
    char *left = read_text("my.yaml"), *again = read_text("my.puddle");
    assert_string_equal(left, scene);
    assert_string_equal(again, snapshot);
    free(left), free(again), free(snapshot);
    assert_false(exists("a.csv"));
    assert_false(exists("frames"));
    assert_int_equal(run("run my.yaml --steps 2 --stats rows.csv --state my.csv --state-every 2 --quiet"), 0);
    /* The snapshot that was loaded may be replaced, since --save writes it completely or not at all. */
    assert_int_equal(run("run --load my.puddle --steps 1 --save my.puddle --quiet"), 0);
    assert_int_equal(run("run --load my.puddle --steps 1 --save my.puddle --quiet"), 0);
}

/* The files that a scene names are inputs too. */
static void files_of_the_scene_are_not_written_over(void **state) {
    (void)state;
    static const char *const over[] = {
        "run placed.yaml --steps 1 --state placed.csv",
        "run placed.yaml --steps 1 --state ./placed_000001.csv --stats placed.csv",
        "run placed.yaml --steps 1 --save to-placed",
        "placed.yaml --frames 1 --log placed.csv",
        "run cells.yaml --steps 1 --stats cells.csv",
        "run cells.yaml --steps 2 --state cells_000001.csv --state-every 2 --stats ./cells.csv",
        "run picture.yaml --steps 1 --save drop.png",
        "run drop.png --steps 1 --save drop.png",
        "render picture.yaml -o drop.gif --steps 1 --stats drop.png",
        "render frame.yaml -o film --force --steps 1",
        "render film/frame_000000.png -o film --force --steps 1",
    };
    static const char picture[] =
        "echo iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR42mOw6v8PRwzEcQDZAhyBLgj8JAAA"
        "AABJRU5ErkJggg== | base64 -d >drop.png"; /* 4 x 4 pixels of one colour */
    write_text("placed.yaml", "puddle: 1\nregions: [{shape: particles, file: placed.csv}]\n");
    write_text("placed.csv", "x,y\n0,0\n0.1,0\n0,0.1\n");
    write_text("cells.yaml", "puddle: 1\nmethod: grid\ncells: {size: 0.5, file: cells.csv}\n");
    write_text("cells.csv", "i,j,u,v\n0,0,0,0\n1,0,0,0\n0,1,0,0\n1,1,0,0\n");
    write_text("picture.yaml",
               "puddle: 1\nregions: [{shape: image, file: drop.png, center: [0, 0], size: 1, count: 50}]\n");
    write_text(
        "frame.yaml",
        "puddle: 1\nregions: [{shape: image, file: film/frame_000000.png, center: [0, 0], size: 1, count: 50}]\n");
    shell(picture);
    shell("ln -s placed.csv to-placed && mkdir film && cp drop.png film/frame_000000.png && "
          "cat placed.csv cells.csv drop.png film/* >inputs");
    for (size_t i = 0; i < sizeof over / sizeof *over; i++) assert_error(over[i], 2, "would overwrite the input");
    shell("cat placed.csv cells.csv drop.png film/* | cmp - inputs");
    assert_int_equal(run("run placed.yaml --steps 1 --state placed-end.csv --quiet"), 0);
}

/* A limit on the size of files ends a run with one line, not with a signal. */
static void a_limit_on_the_size_of_files_is_a_failure(void **state) {
    (void)state;
    assert_int_equal(run_script("ulimit -f 8; exec " PROGRAM_IN_SHELL
                                " run drop --particles 200 --steps 200 --stats long.csv --quiet"),
                     1);
    assert_int_equal(lines(err), 1);
    assert_non_null(strstr(err, "long.csv': File too large"));
}

static void help_names_every_flag(void **state) {
    (void)state;
    static const char *const commands[] = {"", "run", "render", "bench", "check", "list"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "%s --help", commands[i]);
        assert_int_equal(run(arguments), 0);
        assert_string_equal(err, "");
        assert_non_null(strstr(out, "--help"));
    }
    assert_int_equal(run("run --help"), 0);
    assert_non_null(strstr(out, "--state-every K"));
    assert_null(strstr(out, "--fullscreen"));
    assert_int_equal(run("render --help"), 0);
    for (int m = 0; m < pd_method_count(); m++) /* the views of every method */
        for (int v = 0; v < pd_method_at(m)->view_count; v++)
            assert_non_null(strstr(strstr(out, "--view"), pd_method_view_at(pd_method_at(m), v)->name));
    assert_null(strstr(out, "ready")); /* events are the window's */
    assert_int_equal(run("--help"), 0);
    assert_non_null(strstr(strstr(out, "--json"), "{\"event\":\"ready\"}"));
    assert_int_equal(run("--version"), 0);
    assert_string_equal(err, "");
    assert_int_equal(strncmp(out, "puddle 0.", 9), 0);
    assert_non_null(strstr(out, " (simd "));
    assert_int_equal(run("bench --help"), 0);
    assert_non_null(strstr(out, "baseline, avx2, avx512 or neon\n"));
}

static void statistics_have_a_row_per_step(void **state) {
    (void)state;
    assert_int_equal(run("run drop --particles 300 --steps 7 --stats stats.csv --quiet"), 0);
    assert_string_equal(out, "");
    char *text = read_text("stats.csv");
    static const char header[] =
        "step,time,particles,substeps,kinetic_energy,momentum_x,momentum_y,center_x,center_y,rms_speed,max_speed,"
        "mean_density,max_density,density_error,divergence,circulation,step_ms\n";
    assert_int_equal(strncmp(text, header, strlen(header)), 0);
    assert_int_equal(lines(text), 8);
    int step = 0;
    for (char *line = strchr(text, '\n') + 1; *line; line = strchr(line, '\n') + 1) {
        int commas = 0;
        for (char *c = line; *c != '\n'; c++) commas += *c == ',';
        assert_int_equal(commas, 16);
        step++;
        assert_int_equal(atoi(line), step);
    }
    assert_null(strstr(text, "nan"));
    assert_non_null(strstr(text, ",,,")); /* divergence and circulation, which ddr does not have */
    free(text);
}

static void states_have_the_documented_columns(void **state) {
    (void)state;
    assert_int_equal(run("run drop --particles 200 --steps 4 --state s.csv --state-every 2 --quiet"), 0);
    char *text = read_text("s.csv"), *second = read_text("s_000002.csv"), *fourth = read_text("s_000004.csv");
    static const char header[] = "id,material,x,y,vx,vy,mass,density\n";
    assert_int_equal(strncmp(text, header, strlen(header)), 0);
    assert_int_equal(lines(text), 201);
    assert_int_equal(lines(second), 201);
    assert_string_equal(text, fourth);
    assert_string_not_equal(text, second);
    int id = 0;
    for (char *line = text + strlen(header); *line; line = strchr(line, '\n') + 1, id++) {
        unsigned read_id;
        char material[64];
        float value[6];
        assert_int_equal(sscanf(line, "%u,%63[^,],%f,%f,%f,%f,%f,%f", &read_id, material, &value[0], &value[1],
                                &value[2], &value[3], &value[4], &value[5]),
                         8);
        assert_int_equal(read_id, id);
        for (int i = 0; i < 6; i++) assert_true(isfinite(value[i]));
    }
    free(text), free(second), free(fourth);
    assert_int_equal(run("run drop --particles 200 --steps 4 --state s.vtk --quiet"), 0);
    text = read_text("s.vtk");
    assert_int_equal(strncmp(text, "# vtk DataFile Version 3.0\n", 27), 0);
    static const char *const parts[] = {"\nASCII\nDATASET POLYDATA\nFIELD FieldData 1\nTIME 1 1 double\n",
                                        "\nPOINTS 200 float\n",
                                        "\nVERTICES 200 400\n",
                                        "\nPOINT_DATA 200\n",
                                        "\nSCALARS id ",
                                        "\nSCALARS material ",
                                        "\nSCALARS density ",
                                        "\nSCALARS mass ",
                                        "\nVECTORS velocity float\n"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) assert_non_null(strstr(text, parts[i]));
    free(text);
}

static void runs_repeat_bit_for_bit(void **state) {
    (void)state;
    assert_int_equal(run("run blobs --particles 900 --steps 20 --threads 1 --state one.csv --quiet"), 0);
    assert_int_equal(run("run blobs --particles 900 --steps 20 --threads 2 --state two.csv --quiet"), 0);
    assert_int_equal(run("run blobs --particles 900 --steps 20 --threads 2 --state again.csv --quiet"), 0);
    assert_same_file("one.csv", "two.csv");
    assert_same_file("one.csv", "again.csv");
    assert_int_equal(run("run blobs --particles 900 --steps 8 --save half.puddle --quiet"), 0);
    assert_int_equal(run("run --load half.puddle --steps 12 --state continued.csv --stats rest.csv --quiet"), 0);
    assert_same_file("one.csv", "continued.csv");
    char *rest = read_text("rest.csv");
    assert_int_equal(lines(rest), 13);
    assert_int_equal(atoi(strchr(rest, '\n') + 1), 9);
    free(rest);
}

/* Every SIMD level of this processor gives the same file; the others are refused. */
static void simd_levels_agree_and_are_refused(void **state) {
    (void)state;
    static const char *const levels[] = {"auto", "baseline", "avx2", "avx512", "neon"};
    int ran = 0;
    char hash[17] = "";
    assert_int_equal(run("run blobs --particles 900 --steps 20 --state auto.csv --quiet"), 0);
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        char arguments[160];
        snprintf(arguments, sizeof arguments, "run blobs --particles 900 --steps 20 --state level.csv --json --simd %s",
                 levels[i]);
        if (run(arguments) == 0) {
            cJSON *json = cJSON_Parse(out);
            const char *used = cJSON_GetStringValue(cJSON_GetObjectItem(json, "simd"));
            bool neon_is_baseline = strcmp(used, "neon") == 0 && strcmp(levels[i], "baseline") == 0;
            if (i > 0 && !neon_is_baseline) assert_string_equal(used, levels[i]);
            const char *now = cJSON_GetStringValue(cJSON_GetObjectItem(json, "hash"));
            assert_int_equal(strspn(now, "0123456789abcdef"), 16);
            if (!*hash) strcpy(hash, now);
            assert_string_equal(now, hash);
            cJSON_Delete(json);
            assert_same_file("auto.csv", "level.csv");
            ran++;
        } else {
            char what[80];
            snprintf(what, sizeof what, "puddle: --simd %s: this processor does not have it (use", levels[i]);
            assert_error(arguments, 2, what);
        }
    }
    assert_true(ran >= 2 && ran < 5); /* no processor has both avx2 and neon */
    assert_int_equal(run("bench --method ddr --particles 200 --steps 2 --simd baseline"), 0);
    assert_true(strstr(out, ", baseline\n") || strstr(out, ", neon\n"));
}

/* The hash tells apart what a picture of the particles does not: the random generator, the tool, a parameter. */
static void hash_is_of_the_whole_state(void **state) {
    (void)state;
    static const char *const runs[] = {"run drop --particles 200 --steps 3 --json",
                                       "run drop --particles 200 --steps 3 --json --seed 4",
                                       "run drop --particles 200 --steps 4 --json",
                                       "run drop --particles 200 --steps 3 --json --set pbf.iterations=7"};
    char hash[4][17];
    for (int i = 0; i < 4; i++) {
        cJSON *json = parse_output(runs[i]);
        snprintf(hash[i], sizeof hash[i], "%s", cJSON_GetStringValue(cJSON_GetObjectItem(json, "hash")));
        cJSON_Delete(json);
        for (int k = 0; k < i; k++) assert_string_not_equal(hash[i], hash[k]);
    }
    cJSON *again = parse_output(runs[0]);
    assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(again, "hash")), hash[0]);
    cJSON_Delete(again);
}

/* --seconds is rounded to whole steps: 0.5 s at a dt of 0.0166667 s are 29.99994 steps. */
static void seconds_are_rounded_to_steps(void **state) {
    (void)state;
    cJSON *json = parse_output("run drop --particles 200 --dt 0.0166667 --seconds 0.5 --json --seed 3");
    assert_true(cJSON_GetObjectItem(json, "steps")->valuedouble == 30);
    assert_string_equal(cJSON_GetObjectItem(json, "method")->valuestring, "ddr");
    for (int i = 0; i < statistics_column_count; i++)
        assert_non_null(cJSON_GetObjectItem(json, statistics_columns[i].name));
    assert_true(cJSON_GetObjectItem(json, "particles")->valuedouble == 200);
    assert_true(cJSON_IsNumber(cJSON_GetObjectItem(json, "realtime")));
    cJSON_Delete(json);
}

/* A signal after the first row: the run ends with exit code 128 + number, and its files are complete. */
static void interrupt(int number) {
    char pipe[128], state[128];
    snprintf(pipe, sizeof pipe, "%s/rows-%d", folder, number);
    snprintf(state, sizeof state, "%s/interrupted-%d.csv", folder, number);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    char *arguments[] = {PUDDLE_PROGRAM, "run", "drop",    "--particles", "200",     "--steps", "1000000",
                         "--stats",      pipe,  "--state", state,         "--quiet", NULL};
    pid_t child;
    assert_int_equal(posix_spawn(&child, PUDDLE_PROGRAM, NULL, NULL, arguments, environ), 0);
    FILE *rows = fopen(pipe, "r");
    assert_non_null(rows);
    char line[1024] = "";
    assert_non_null(fgets(line, sizeof line, rows));
    assert_non_null(fgets(line, sizeof line, rows));
    assert_int_equal(kill(child, number), 0);
    while (fgets(line, sizeof line, rows)) continue;
    assert_int_equal(line[strlen(line) - 1], '\n');
    fclose(rows);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 128 + number);
    assert_true(access(state, F_OK) == 0);
}

static void interrupts_end_a_run_cleanly(void **state) {
    (void)state;
    interrupt(SIGINT);
    interrupt(SIGTERM);
    interrupt(SIGHUP);
}

static void check_tells_good_from_bad(void **state) {
    (void)state;
    write_text("bad.yaml", "puddle: 1\ngravty: [0, 0]\n");
    assert_int_equal(run("check drop bad.yaml blobs"), 2);
    assert_int_equal(lines(out), 2);
    assert_int_equal(lines(err), 1);
    assert_int_equal(strncmp(err, "bad.yaml:2:1: ", 14), 0);
    assert_non_null(strstr(out, "drop: ok ("));
    assert_int_equal(run("check drop bad.yaml --json"), 2);
    cJSON *json = cJSON_Parse(out);
    assert_int_equal(cJSON_GetArraySize(json), 2);
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(cJSON_GetArrayItem(json, 0), "ok")));
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(cJSON_GetArrayItem(json, 1), "ok")));
    cJSON_Delete(json);
}

static void lists_are_complete(void **state) {
    (void)state;
    static const char *const fields[][2] = {
        {"methods", "name"}, {"scenes", "name"}, {"parameters", "key"}, {"keys", "keys"}};
    static const int at_least[] = {5, 9, 8, 15};
    for (int i = 0; i < 4; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "list %s --json", fields[i][0]);
        cJSON *json = parse_output(arguments), *item;
        assert_true(cJSON_GetArraySize(json) >= at_least[i]);
        cJSON_ArrayForEach(item, json) assert_true(cJSON_IsString(cJSON_GetObjectItem(item, fields[i][1])));
        cJSON_Delete(json);
        snprintf(arguments, sizeof arguments, "list %s", fields[i][0]);
        assert_int_equal(run(arguments), 0);
        assert_true(lines(out) >= at_least[i]);
    }
    assert_int_equal(run("list scenes"), 0);
    static const char *const scenes[] = {"blobs", "drop",     "two-drops", "dam-break",   "pool",
                                         "rain",  "fountain", "obstacles", "zero-gravity"};
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) assert_non_null(strstr(out, scenes[i]));
}

/* The name first, then what makes the material. */
static void materials_are_listed_with_their_properties(void **state) {
    (void)state;
    assert_int_equal(run("list materials"), 0);
    assert_int_equal(lines(out), 9);
    assert_ptr_equal(strstr(out, "water "), out);
    assert_non_null(strstr(out,
                           "\nhoney      #ffa014  mass 1.2  flows slowly, in threads: viscosity 1000, elasticity 2300, "
                           "plasticity 4, yield 0, stickiness 120\n"));
    cJSON *json = parse_output("list materials --json");
    const cJSON *mercury = cJSON_GetArrayItem(json, 7), *properties = cJSON_GetObjectItem(mercury, "properties");
    assert_string_equal(cJSON_GetObjectItem(mercury, "name")->valuestring, "mercury");
    assert_true(cJSON_GetObjectItem(properties, "viscosity")->valuedouble == 1);
    assert_null(cJSON_GetObjectItem(properties, "plasticity"));
    cJSON_Delete(json);
}

static void flags_are_read_in_every_form(void **state) {
    (void)state;
    assert_int_equal(run("run --steps=2 --quiet --set=ddr.stiffness=2 --set ddr.equal_weight=false "
                         "--particles=1e2 -- drop"),
                     0);
    assert_int_equal(run("--quiet run drop --steps 0 --substeps auto --state zero.csv"), 0);
    char *text = read_text("zero.csv");
    assert_true(lines(text) > 1);
    free(text);
}

/* --stats - gives the rows of a file and nothing else. A reader that closes the pipe ends the run without a message. */
static void statistics_go_to_standard_output(void **state) {
    (void)state;
    assert_int_equal(run("run drop --steps 3 --stats -"), 0);
    assert_int_equal(lines(out), 4);
    assert_int_equal(strncmp(out, "step,time,", 10), 0);
    assert_non_null(strstr(out, "\n1,0.016666668,"));
    assert_string_equal(err, "");
    assert_false(exists("-"));
    write_text("rows.csv", "# first\n"); /* what the file has before stays */
    assert_int_equal(run("run drop --steps 1 --stats - >>rows.csv"), 0);
    char *rows = read_text("rows.csv");
    assert_int_equal(strncmp(rows, "# first\nstep,time,", 18), 0);
    assert_int_equal(lines(rows), 3);
    free(rows);
    assert_int_equal(run("run drop --seconds 1e9 --stats - | head -n 2"), 0);
    assert_int_equal(lines(out), 2);
    assert_string_equal(err, "");
    assert_int_equal(run("run drop --seconds 1e9 --quiet --stats /dev/stdout | head -n 1"), 0);
    assert_string_equal(err, "");
}

/* "help COMMAND" is "COMMAND --help". The help of a command has no words of another one. */
static void help_is_of_the_command(void **state) {
    (void)state;
    assert_int_equal(run("run --help"), 0);
    char *text = strdup(out);
    assert_int_equal(run("help run"), 0);
    assert_string_equal(out, text);
    assert_null(strstr(text, "render:"));
    assert_null(strstr(text, "bench:"));
    free(text);
    assert_int_equal(run("--version"), 0);
    text = strdup(out);
    static const char *const forms[] = {"version", "-v", "-V"};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(run(forms[i]), 0);
        assert_string_equal(out, text);
    }
    free(text);
}

/* A comma that is missing, and a colour without quotes, which YAML reads as a comment. */
static void mistakes_of_yaml_are_named(void **state) {
    (void)state;
    write_text("comma.yaml", "puddle: 1\nregions: [{shape: box, center: [0, 0], size: [2 0.2]}]\n");
    assert_error("check comma.yaml", 2, "comma.yaml:2:46: 'size' is [2 0.2] without a comma (allowed: two numbers, ");
    write_text("quotes.yaml", "puddle: 1\nmaterials: {water: {color: #3a8fff}}\nname: x\n");
    assert_error("check quotes.yaml", 2, "a # outside of quotes begins a comment: write \"#3a8fff\")");
}

/* The end of a log names a refusal of memory as its cause. */
static void logs_that_end_by_refused_memory(void **state) {
    (void)state;
    write_text("refused.log",
               "puddle-log 1\nscene\npuddle: 1\nparticles: 20\ncontainer: {shape: box, width: 2, height: 1}\n"
               "end\n2 gravity 1 -1\n3 stop\n3 memory refused\n");
    assert_int_equal(run("replay refused.log -o refused --size 32x32"), 0);
    assert_non_null(strstr(err, "the log ends at step 3, because memory was refused in the next step"));
}

/* Without a command a log is replayed and a snapshot is loaded, as a double click wants. Others are scenes. */
static void a_file_chooses_the_command(void **state) {
    (void)state;
    write_text("made.log", "puddle-log 1\nscene\npuddle: 1\nend\n2 stop\n");
    write_text("bad.puddle", "no snapshot");
    assert_int_equal(run("made.log --dt 1"), 2);
    assert_non_null(strstr(err, "puddle replay"));
    assert_int_equal(run("bad.puddle"), 2);
    assert_non_null(strstr(err, "snapshot"));
    write_text("other.log", "12:00 started\n");
    assert_int_equal(run("other.log"), 2);
    assert_non_null(strstr(err, "other.log:1:1"));
}

/* What other cases run in a copy of this process is what main() runs. */
static void the_built_program_does_the_same(void **state) {
    (void)state;
    static const char *const commands[] = {"drop", "run drop --particles 100 --steps 2 --state end.csv --quiet",
                                           "render drop --particles 100 -o end.png --at 0 --size 16x16 --quiet",
                                           "replay end.log -o frames --size 16x16", "list methods"};
    write_text("end.log", "puddle-log 1\nscene\npuddle: 1\nparticles: 100\nend\n2 stop\n");
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        shell("rm -rf first end.csv end.png frames && mkdir first");
        int code = run(commands[i]);
        shell("for file in end.csv end.png frames; do ! test -e $file || mv $file first; done; cp out err first");
        assert_int_equal(run_built(commands[i]), code);
        assert_int_equal(code, i > 0 ? 0 : 1); /* there is no display for a window */
        shell("for file in $(ls first); do diff -r $file first/$file || exit; done");
    }
    assert_int_equal(run_built("bench --method ddr --particles 100 --steps 1"), 0);
    assert_non_null(strstr(out, "\nddr "));
}

/* A window without a display is refused with advice. In the last case WAYLAND_DISPLAY names a socket, but XDG_RUNTIME_DIR, its
 * folder, is not set. */
static void test_no_display(void **state) {
    (void)state;
    static const char *const displays[] = {"", ":7654321", ""};
    unsetenv("XDG_RUNTIME_DIR");
    for (int i = 0; i < 3; i++) {
        setenv("DISPLAY", displays[i], 1);
        if (i == 2) setenv("WAYLAND_DISPLAY", "wayland-0", 1);
        assert_error("drop", 1, "puddle render");
        unsetenv("DISPLAY");
        unsetenv("WAYLAND_DISPLAY");
    }
}

TEST_GROUP(cli) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_usage_is_refused),
        cmocka_unit_test(inputs_that_never_end_do_not_hang),
        cmocka_unit_test(outputs_that_cannot_be_written_are_failures),
        cmocka_unit_test(files_of_the_scene_are_not_written_over),
        cmocka_unit_test(inputs_are_not_written_over),
        cmocka_unit_test(a_limit_on_the_size_of_files_is_a_failure),
        cmocka_unit_test(help_names_every_flag),
        cmocka_unit_test(statistics_have_a_row_per_step),
        cmocka_unit_test(states_have_the_documented_columns),
        cmocka_unit_test(runs_repeat_bit_for_bit),
        cmocka_unit_test(simd_levels_agree_and_are_refused),
        cmocka_unit_test(hash_is_of_the_whole_state),
        cmocka_unit_test(seconds_are_rounded_to_steps),
        cmocka_unit_test(interrupts_end_a_run_cleanly),
        cmocka_unit_test(check_tells_good_from_bad),
        cmocka_unit_test(lists_are_complete),
        cmocka_unit_test(materials_are_listed_with_their_properties),
        cmocka_unit_test(flags_are_read_in_every_form),
        cmocka_unit_test(statistics_go_to_standard_output),
        cmocka_unit_test(help_is_of_the_command),
        cmocka_unit_test(mistakes_of_yaml_are_named),
        cmocka_unit_test(logs_that_end_by_refused_memory),
        cmocka_unit_test(a_file_chooses_the_command),
        cmocka_unit_test(the_built_program_does_the_same),
        cmocka_unit_test(test_no_display),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
