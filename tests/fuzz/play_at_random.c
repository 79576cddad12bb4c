/* Plays at random in the real window, session after session, and tests what every session leaves: the program neither crashed nor
 * hangs, no sanitizer reported anything, and every log is replayed to the same end with other threads and instructions.
 *
 * Usage: play_at_random --seconds N --seed S --out DIR     (scripts/play-at-random.sh builds and starts it)
 *
 * Session number n has the seed S + n, which determines all input but not when it arrives. A session that went wrong leaves its
 * folder, DIR/seed-S: `command` is how the program was started, `input` what xdotool was given, `why` what was wrong. */
#include "desktop.h"
#include "with_threads.h"

#include "app/tables/keys.h"
#include "core/simd.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <puddle/puddle.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/stat.h>

enum { SIDE = 480, LEFT = (1024 - SIDE) / 2, TOP = (768 - SIDE) / 2 };

/* ---- Random numbers ---- */

static uint64_t random_state;

/* 0 .. below - 1 */
static int pick(int below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (int)((random_state >> 33) % (uint64_t)below);
}

/* ---- The hand ---- */

static FILE *xdotool, *record;
static int acts;

/* Gives xdotool a line. */
__attribute__((format(printf, 1, 2))) static void input(const char *format, ...) {
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(record, "%s\n", line);
    fprintf(xdotool, "%s\n", line);
    fflush(xdotool);
}

static void pause_for(int most) { input("sleep 0.%03d", pick(most < 999 ? most : 999)); }

/* xdotool's word for a key of the table: "Ctrl+Z" is "ctrl+z". Returns false for what is done with the mouse. */
static bool name_key(const char *word, char *name, size_t size) {
    static const char *const names[][2] = {{"]", "bracketright"}, {"[", "bracketleft"}, {"=", "equal"},
                                           {"-", "minus"},        {".", "period"},      {">", "greater"},
                                           {"<", "less"},         {"Space", "space"},   {"Backspace", "BackSpace"}};
    const char *key = strrchr(word, '+') && word[1] ? strrchr(word, '+') + 1 : word;
    if (strstr(word, "drag") || strstr(word, "Wheel") || strcmp(word, "...") == 0) return false;
    if (strcmp(word, "Esc") == 0 || strcmp(word, "Ctrl+Q") == 0) return false; /* the end of a session */
    if (strcmp(word, "Space") == 0) return false; /* step_singly pauses: half of all sessions would stand still */
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(key, names[i][0]) == 0) found = names[i][1];
    snprintf(name, size, "%s%s", strstr(word, "Ctrl+") ? "ctrl+" : "", strstr(word, "Shift+") ? "shift+" : "");
    size_t length = strlen(name);
    snprintf(name + length, size - length, "%s", found ? found : key);
    if (!found && strlen(key) == 1) name[length] = (char)tolower((unsigned char)key[0]);
    return true;
}

/* A key of the program's table. */
static void press_any_key(void) {
    int left = 0;
    char text[64], name[32], chosen[32] = "period";
    snprintf(text, sizeof text, "%s", pd_key_at(pick(pd_key_count()))->name);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        if (name_key(word, name, sizeof name) && pick(++left) == 0) strcpy(chosen, name);
    for (int i = 0, times = 1 + pick(3); i < times; i++) input("key %s", chosen);
}

/* Mostly on the picture. */
static void go_anywhere(void) {
    if (pick(6) == 0)
        input("mousemove %d %d", pick(1024), pick(768));
    else
        input("mousemove %d %d", LEFT + pick(SIDE), TOP + pick(SIDE));
}

static void drag(void) {
    int button = pick(2) ? 1 : 1 + pick(3);
    bool shift = pick(5) == 0;
    go_anywhere();
    if (shift) input("keydown shift");
    input("mousedown %d", button);
    for (int i = 0, moves = 1 + pick(8); i < moves; i++) {
        if (pick(4))
            input("mousemove_relative -- %d %d", pick(121) - 60, pick(121) - 60);
        else
            go_anywhere();
        pause_for(60);
        if (pick(12) == 0) press_any_key();
        if (pick(12) == 0) input("click %d", 4 + pick(2));
    }
    input("mouseup %d", button);
    if (shift) input("keyup shift");
}

static void turn_wheel(void) {
    static const char *const modifiers[] = {NULL, "shift", "ctrl"};
    const char *modifier = modifiers[pick(3)];
    go_anywhere();
    if (modifier) input("keydown %s", modifier);
    input("click --repeat %d --delay 10 %d", 1 + pick(6), 4 + pick(2));
    if (modifier) input("keyup %s", modifier);
}

static void use_tool(void) {
    static const char *const tools[] = {"F2", "F3", "F4", "F5", "F6", "F7", "F8", "o", "j", "e", "x", "m", "d", "p"};
    const char *tool = tools[pick(sizeof tools / sizeof *tools)];
    for (int i = 0, times = 1 + pick(3); i < times; i++) input("key %s", tool);
    for (int i = 0, times = 1 + pick(3); i < times; i++) drag();
}

/* Draws bodies, joins places by clicks, and drags. */
static void use_bodies(void) {
    input("key --repeat %d --delay 10 o", 1 + pick(3));
    for (int i = 0, times = 1 + pick(4); i < times; i++) drag();
    input("key --repeat %d --delay 10 j", 1 + pick(4));
    for (int i = 0, times = 1 + pick(6); i < times; i++) {
        go_anywhere();
        input("click 1");
    }
    if (pick(2) == 0) return;
    input("key %s", pick(2) ? "m" : "F2");
    for (int i = 0, times = 1 + pick(3); i < times; i++) drag();
}

static void switch_method(void) {
    for (int i = 0, times = 1 + pick(2); i < times; i++) {
        input("key %d", 1 + pick(6));
        pause_for(300);
    }
}

static void undo_and_redo(void) {
    for (int i = 0, times = 1 + pick(5); i < times; i++) {
        input("key %s", pick(3) ? "ctrl+z" : "ctrl+shift+z");
        pause_for(pick(2) ? 10 : 150);
    }
}

static void go_back(void) {
    if (pick(2)) {
        input("key --repeat %d --delay 20 BackSpace", 1 + pick(3));
        return;
    }
    input("keydown BackSpace");
    pause_for(900);
    if (pick(3) == 0) drag();
    input("keyup BackSpace");
}

static void step_singly(void) {
    input("key space");
    if (pick(2)) input("key --repeat %d --delay 20 period", 1 + pick(5));
    if (pick(2)) drag();
    if (pick(2)) switch_method();
    input("key space");
}

static void start_anew(void) {
    static const char *const keys[] = {"r", "shift+r", "r", "g", "minus", "equal", "minus"};
    input("key %s", keys[pick(sizeof keys / sizeof *keys)]);
}

static void resize(void) {
    /* By a process of its own: xdotool would send later keys to the window that it found, not to the one in front. */
    input("exec --sync xdotool search --onlyvisible --name . windowsize %d %d", 200 + pick(800), 150 + pick(600));
    pause_for(300);
}

/* Along the edges of the window, where the bar, the panel and the time line are. */
static void use_the_interface(void) {
    if (pick(2)) input("key Tab");
    for (int i = 0, times = 1 + pick(8); i < times; i++) {
        int along = pick(SIDE), across = pick(pick(2) ? 40 : 220), side = pick(4);
        int x = side == 0 ? across : side == 1 ? SIDE - 1 - across : along;
        int y = side == 2 ? across : side == 3 ? SIDE - 1 - across : along;
        input("mousemove %d %d", LEFT + x, TOP + y);
        if (pick(3)) {
            input("click 1");
        } else {
            input("mousedown 1 mousemove_relative -- %d %d", pick(81) - 40, pick(21) - 10);
            input("mouseup 1");
        }
        pause_for(80);
    }
}

static void open_another_scene(void) {
    input("key ctrl+o");
    pause_for(400);
    input("key --repeat %d --delay 10 %s", 1 + pick(12), pick(2) ? "Right" : "Down");
    if (pick(4))
        input("key Return");
    else
        go_anywhere(), input("click 1");
    pause_for(400);
    input("key --repeat 5 --delay 10 minus"); /* scenes come with more particles than a session has time for */
}

static void make_new_scene(void) {
    input("key ctrl+n");
    pause_for(300);
    for (int i = 0, times = pick(5); i < times; i++) {
        go_anywhere();
        input("click 1");
    }
    input("key Return");
    pause_for(200);
}

static void compare(void) {
    input("key ctrl+%d", 1 + pick(6));
    pause_for(600);
    if (pick(2)) drag();
    input("key %s", pick(3) == 0 ? "ctrl+k" : pick(2) ? "n" : "ctrl+1");
}

static void save(void) {
    static const char *const keys[] = {"ctrl+r", "ctrl+r", "ctrl+shift+s Up", "ctrl+shift+s"}; /* open the dialog */
    static int number;
    char here[512];
    if (pick(5) == 0) {
        input("key F12");
        return;
    }
    input("key %s", keys[pick(sizeof keys / sizeof *keys)]);
    pause_for(300);
    input("type --args 1 %s/saved-%d", getcwd(here, sizeof here) ? here : ".", ++number);
    input("key Return");
    pause_for(200);
}

static void rest(void) { pause_for(900); }

static void (*const all_acts[])(void) = {
    drag,          drag,          drag,          use_tool,      use_tool,           turn_wheel,
    press_any_key, press_any_key, switch_method, switch_method, undo_and_redo,      undo_and_redo,
    go_back,       go_back,       step_singly,   start_anew,    use_the_interface,  use_the_interface,
    resize,        compare,       save,          save,          open_another_scene, make_new_scene,
    use_bodies,    use_bodies,    rest};

/* ---- A session ---- */

typedef struct session {
    uint64_t seed;
    char folder[512], scene[64], quit[16], why[1024];
    bool has_log;
    int logs, code;
    double seconds;
    unsigned long long steps;
} session;

static char own_path[512];

__attribute__((format(printf, 2, 3))) static void blame(session *s, const char *format, ...) {
    size_t length = strlen(s->why);
    if (length > 0 && length + 3 < sizeof s->why)
        length += (size_t)snprintf(s->why + length, sizeof s->why - length, "; ");
    va_list arguments;
    va_start(arguments, format);
    if (length < sizeof s->why) vsnprintf(s->why + length, sizeof s->why - length, format, arguments);
    va_end(arguments);
}

static bool has_exited(pid_t pid) {
    siginfo_t end = {0};
    return waitid(P_PID, (id_t)pid, &end, WEXITED | WNOHANG | WNOWAIT) != 0 || end.si_pid != 0;
}

/* Discards what the program prints, so that it does not wait for a reader. */
static void discard_output(program *program) {
    char bytes[4096];
    while (read(program->output, bytes, sizeof bytes) > 0) continue;
}

/* Waits until xdotool has done all lines, or the program has exited. */
static void let_xdotool_finish(program *program) {
    unlink("done");
    fprintf(xdotool, "exec --sync touch done\n");
    fflush(xdotool);
    double until = seconds_now() + DEADLINE;
    while (access("done", F_OK) != 0 && !has_exited(program->pid) && seconds_now() < until) {
        discard_output(program);
        short_pause();
    }
}

static void choose_scene(session *s, int number) {
    static glob_t found;
    if (!found.gl_pathc && glob(PUDDLE_SCENES "/*.yaml", 0, NULL, &found)) exit(2);
    const char *path = found.gl_pathv[(size_t)number % found.gl_pathc];
    snprintf(s->scene, sizeof s->scene, "%s", strrchr(path, '/') + 1);
    *strrchr(s->scene, '.') = '\0';
}

static bool open_program(session *s, program *program) {
    static char particles[16];
    const char *arguments[20], **to = arguments;
    *to++ = s->scene;
    *to++ = "--size";
    *to++ = "480x480";
    *to++ = "--json";
    *to++ = "--threads";
    *to++ = pick(2) ? "2" : "1";
    snprintf(particles, sizeof particles, "%d", 50 + pick(500));
    *to++ = "--particles";
    *to++ = particles;
    *to++ = "--save";
    *to++ = "end.puddle";
    if (pick(3)) { /* the cheapest to draw */
        *to++ = "--view";
        *to++ = "sprites";
    }
    if (pick(3)) {
        *to++ = "--history";
        *to++ = pick(2) ? "1" : "16";
    }
    s->has_log = pick(3) > 0;
    if (s->has_log) {
        *to++ = "--log";
        *to++ = "run.log";
    }
    *to = NULL;
    FILE *command = fopen("command", "w");
    fprintf(command, "%s", PUDDLE_PROGRAM);
    for (to = arguments; *to; to++) fprintf(command, " %s", *to);
    fprintf(command, "\n");
    fclose(command);
    program_start(program, arguments);
    double until = seconds_now() + DEADLINE;
    while (!was_heard(program, "\"ready\"") && !has_exited(program->pid) && seconds_now() < until) continue;
    if (!was_heard(program, "\"ready\"")) blame(s, "it does not start");
    return !*s->why;
}

/* Returns whether the program could end by itself. */
static bool quit(session *s, program *program) {
    static const char *const ways[] = {"Escape", "ctrl+q", "SIGTERM", "SIGKILL", "SIGKILL"};
    const char *way = ways[pick(sizeof ways / sizeof *ways)];
    snprintf(s->quit, sizeof s->quit, "%s", way);
    if (strcmp(way, "SIGKILL") == 0) {
        kill(program->pid, SIGKILL);
    } else if (strcmp(way, "SIGTERM") == 0) {
        kill(program->pid, SIGTERM);
    } else {
        /* Dialogs and unfinished shapes are left first. */
        for (int i = 0; i < 8 && !has_exited(program->pid); i++) {
            input("key %s", pick(2) || i > 3 ? "Escape" : way);
            let_xdotool_finish(program);
            for (int wait = 0; wait < 25 && !has_exited(program->pid); wait++) short_pause();
        }
    }
    double until = seconds_now() + DEADLINE;
    while (!has_exited(program->pid) && seconds_now() < until) {
        discard_output(program);
        short_pause();
    }
    if (!has_exited(program->pid)) describe_threads(program->pid);
    return strcmp(way, "SIGKILL") != 0;
}

/* Waits for the exit. */
static void judge_exit(session *s, program *program) {
    bool hangs = !has_exited(program->pid);
    if (hangs) kill(program->pid, SIGKILL);
    int code = await_exit(program->pid);
    note_end(program->pid);
    close(program->output);
    s->code = code;
    if (hangs)
        blame(s, "it hangs after %s", s->quit);
    else if (strcmp(s->quit, "SIGKILL") == 0 ? code != 128 + SIGKILL && code != 0
                                             : code != 0 && !(code == 128 + SIGTERM && strcmp(s->quit, "SIGTERM") == 0))
        blame(s, "exit code %d after %s", code, s->quit);
    const char *told = errors_text();
    if (strstr(told, "Sanitizer") || strstr(told, "runtime error") || strstr(told, "ssert"))
        blame(s, "a report in errors");
}

/* ---- What a session leaves ---- */

typedef struct end {
    char hash[17];
    unsigned long long steps;
} end;

/* Replays a log in a process of its own, which may crash. Returns false, with the reason in s->why, where that fails or
 * diverges, or the log is damaged. */
static bool replay(session *s, const char *log, const char *threads, const char *simd, end *end) {
    char command[1200], told[1024];
    snprintf(command, sizeof command, "timeout 300 '%s' --replay '%s' %s %s 2>>replay-errors", own_path, log, threads,
             simd);
    FILE *output = popen(command, "r");
    if (!output) return false;
    told[fread(told, 1, sizeof told - 1, output)] = '\0';
    int status = pclose(output);
    told[strcspn(told, "\n")] = '\0';
    if (status == 0 && sscanf(told, "%16[0-9a-f] %llu", end->hash, &end->steps) == 2) return true;
    blame(s, "%s (%s threads, %s): %s", log, threads, simd, *told ? told : "the replay crashed");
    return false;
}

/* Prints the hash and the number of steps at the end of a log, else what is wrong. */
static int print_end(const char *path, const char *threads, const char *simd) {
    pd_log *log;
    pd_world *world;
    pd_error error;
    char damage[PD_MAX_LOG_DAMAGE];
    if (!pd_simd_select(simd)) pd_simd_select("auto"); /* a processor without it */
    if (read_log_with_threads(&log, &world, path, atoi(threads), damage, &error) != PD_OK)
        return printf("%s\n", error.message);
    if (*damage) return printf("%s\n", damage);
    pd_log_set_keyframe_budget(log, 0);
    while (pd_log_tick(log) < pd_log_end_tick(log)) {
        pd_log_replay_commands(log, world);
        pd_world_step(world);
        pd_log_end_step(log, world);
    }
    pd_log_replay_commands(log, world);
    unsigned long long diverged = pd_log_first_divergence(log), ticks = pd_log_tick(log);
    bool fine = pd_log_first_divergence(log) == PD_LOG_NEVER;
    if (fine)
        printf("%016llx %llu\n", (unsigned long long)pd_world_hash(world), ticks);
    else
        printf("diverged at %llu of %llu\n", diverged, ticks);
    pd_log_destroy(log);
    pd_world_destroy(world);
    return !fine;
}

/* The hash at the end of a session, which --save has written; empty where there is none. */
static void hash_of_end(end *end) {
    pd_world *world;
    end->hash[0] = '\0';
    if (access("end.puddle", F_OK) != 0 || load_with_threads(&world, "end.puddle", 1, NULL) != PD_OK) return;
    snprintf(end->hash, sizeof end->hash, "%016llx", (unsigned long long)pd_world_hash(world));
    pd_world_destroy(world);
}

static void judge_log(session *s, const char *log, bool whole) {
    end first = {""}, second = {""}, saved = {""};
    s->logs++;
    if (!replay(s, log, "1", "baseline", &first)) return;
    if (!replay(s, log, "2", "avx2", &second)) return;
    s->steps += first.steps;
    if (strcmp(first.hash, second.hash) != 0)
        blame(s, "%s: %s on 1 thread, %s on 2 and avx2", log, first.hash, second.hash);
    if (whole) hash_of_end(&saved);
    if (saved.hash[0] && strcmp(saved.hash, first.hash) != 0)
        blame(s, "%s: ends in %s, the window in %s", log, first.hash, saved.hash);
}

/* The log of the last world: where another scene was opened, --log goes on in "run-2.log". */
static const char *name_own_log(const session *s) {
    static char name[32];
    int number = 2;
    if (!s->has_log) return "state/puddle/last.log";
    for (snprintf(name, sizeof name, "run-2.log"); access(name, F_OK) == 0; number++)
        snprintf(name, sizeof name, "run-%d.log", number + 1);
    if (number == 2) return "run.log";
    snprintf(name, sizeof name, "run-%d.log", number - 1);
    return name;
}

static void judge_files(session *s, bool ended) {
    glob_t found;
    static const char *const logs[] = {"*.log", "state/puddle/*.log"};
    for (size_t k = 0; k < sizeof logs / sizeof *logs; k++) {
        if (glob(logs[k], 0, NULL, &found)) continue;
        for (size_t i = 0; i < found.gl_pathc; i++)
            judge_log(s, found.gl_pathv[i], ended && strcmp(found.gl_pathv[i], name_own_log(s)) == 0);
        globfree(&found);
    }
    if (s->logs == 0) blame(s, "no log is left");
    if (glob("*.puddle", 0, NULL, &found)) return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        pd_world *world;
        pd_error error;
        if (load_with_threads(&world, found.gl_pathv[i], 1, &error) == PD_OK)
            pd_world_destroy(world);
        else
            blame(s, "%s", error.message);
    }
    globfree(&found);
}

static void set_folders(const char *folder) {
    static const char *const names[][2] = {{"HOME", "home"},
                                           {"XDG_CONFIG_HOME", "config"},
                                           {"XDG_STATE_HOME", "state"},
                                           {"XDG_CACHE_HOME", "cache"},
                                           {"XDG_DATA_HOME", "data"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[640];
        snprintf(path, sizeof path, "%s/%s", folder, names[i][1]);
        mkdir(path, 0755);
        setenv(names[i][0], path, 1);
    }
}

static bool play(session *s, int number) {
    program program;
    random_state = s->seed * 2654435761u + 1;
    pick(2);
    acts = 0;
    choose_scene(s, number);
    set_folders(s->folder);
    double begin = seconds_now(), length = 5 + pick(25);
    record = fopen("input", "w");
    xdotool = popen("xdotool - >xdotool-told 2>&1", "w");
    if (!record || !xdotool) exit(2);
    bool ended = false;
    strcpy(s->quit, "nothing");
    if (open_program(s, &program)) {
        double ready = seconds_now();
        while (seconds_now() < ready + length && !has_exited(program.pid)) {
            all_acts[pick(sizeof all_acts / sizeof *all_acts)]();
            acts++;
            let_xdotool_finish(&program);
        }
        if (has_exited(program.pid))
            blame(s, "it ended by itself");
        else
            ended = quit(s, &program);
    }
    judge_exit(s, &program);
    input("keyup shift keyup BackSpace mouseup 1 mouseup 2 mouseup 3");
    pclose(xdotool);
    fclose(record);
    judge_files(s, ended);
    s->seconds = seconds_now() - begin;
    return !*s->why;
}

/* Returns whether all is well. The files of such a session are removed. */
static bool run_session(const char *out, uint64_t seed, int number) {
    session s = {.seed = seed};
    char command[600];
    snprintf(s.folder, sizeof s.folder, "%s/seed-%llu", out, (unsigned long long)seed);
    snprintf(command, sizeof command, "rm -rf '%s'", s.folder); /* also before: no logs of an earlier puddle */
    if (system(command) != 0 || mkdir(s.folder, 0755) || chdir(s.folder)) {
        fprintf(stderr, "play_at_random: cannot make '%s': %s\n", s.folder, strerror(errno));
        exit(1);
    }
    bool fine = play(&s, number);
    printf("seed %llu: %s, %d acts in %.0f s, ended by %s, %d logs of %llu steps: %s\n", (unsigned long long)seed,
           s.scene, acts, s.seconds, s.quit, s.logs, s.steps, fine ? "right" : s.why);
    fflush(stdout);
    if (!fine) {
        FILE *why = fopen("why", "w");
        if (why) fprintf(why, "%s\n", s.why), fclose(why);
    }
    if (chdir("/") || (fine && system(command) != 0)) exit(1);
    return fine;
}

int main(int count, char **arguments) {
    double seconds = 60;
    uint64_t seed = 1;
    char out[400] = "";
    if (count == 5 && strcmp(arguments[1], "--replay") == 0)
        return print_end(arguments[2], arguments[3], arguments[4]) != 0;
    if (!realpath(arguments[0], own_path)) return 1;
    for (int i = 1; i + 1 < count; i += 2) {
        if (strcmp(arguments[i], "--seconds") == 0) seconds = atof(arguments[i + 1]);
        if (strcmp(arguments[i], "--seed") == 0) seed = strtoull(arguments[i + 1], NULL, 10);
        if (strcmp(arguments[i], "--out") == 0) {
            mkdir(arguments[i + 1], 0755);
            if (!realpath(arguments[i + 1], out)) out[0] = '\0';
        }
    }
    if (!out[0]) {
        fprintf(stderr, "usage: play_at_random --seconds N --seed S --out DIR\n");
        return 2;
    }
    setenv("PUDDLE_SCALE", "1", 1);
    signal(SIGPIPE, SIG_IGN);
    if (open_display(NULL)) return 1;
    int sessions = 0, wrong = 0;
    for (double until = seconds_now() + seconds; seconds_now() < until; sessions++)
        wrong += !run_session(out, seed + (uint64_t)sessions, sessions + (int)(seed % 1000));
    close_display(NULL);
    printf("%d sessions, %d wrong%s%s\n", sessions, wrong, wrong ? ": " : "", wrong ? out : "");
    return wrong > 0;
}
