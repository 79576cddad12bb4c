/* The program's window in the process of the test. */
#include "in_process.h"

#include "app/loop.h"
#include "cli/commands.h"
#include "cli/output/output.h"
#include "cli/window.h"
#include "core/file.h"
#include "core/timer.h"
#include "record/sink.h"
#include <epoxy/gl.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <puddle/log.h>
#include <puddle/memory.h>
#include <SDL.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_FRAMES = 6000 }; /* frames of a wait: 100 s */
static const double PERIOD = 1.0 / 60;

/* The open window. It outlives the function of a test that has failed. */
static struct {
    options options;  /* of the command line */
    window window;    /* the window of the command */
    program *program; /* receives what is printed; NULL: no window */
    bool is_open;     /* the window has opened */
    bool ended;       /* the window wants to be closed, or did not open */
    int code;         /* exit code of a window that did not open */
} current;

static pd_app *app(void) { return current.window.app; }

/* ---- The clock ---- */

double seconds_per_reading = READING_TIME;
static _Atomic double now; /* s */
static pthread_t person;   /* the thread of the test, whose readings move the clock */

/* Readings of other threads, such as those that write frames, do not move the clock: their number is left to chance. */
static double read_clock(void) {
    if (pthread_equal(pthread_self(), person)) atomic_store(&now, atomic_load(&now) + seconds_per_reading);
    return atomic_load(&now);
}

static void pass(double seconds) { atomic_store(&now, atomic_load(&now) + fmax(seconds, 0)); }

static void begin_clock(void) {
    static const pd_clock clock = {read_clock, pass};
    person = pthread_self();
    atomic_store(&now, 1000);
    seconds_per_reading = READING_TIME;
    pd_clock_replace(&clock);
}

/* ---- What the program prints ---- */

static int streams[2] = {-1, -1}; /* files that receive standard output and standard error */
static int usual[2];              /* those of the test */

/* Lets the program print into its files. */
static void begin_output(void) {
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        usual[i] = dup(i + 1);
        dup2(streams[i], i + 1);
    }
}

/* Ends what begin_output began, and appends what was printed to program->heard, which lasts until the next program prints. program:
 * NULL after a failed test. */
static void end_output(program *program) {
    static char *heard;
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        dup2(usual[i], i + 1);
        close(usual[i]);
    }
    if (!program) return;
    off_t size = lseek(streams[0], 0, SEEK_END);
    program->heard = heard = realloc(heard, (size_t)size + 1);
    ssize_t got = pread(streams[0], heard + program->length, (size_t)size - program->length, (off_t)program->length);
    if (got > 0) program->length += (size_t)got;
    heard[program->length] = '\0';
}

const char *errors_text(void) {
    static char text[1 << 14];
    FILE *file = fopen("errors", "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* ---- The screen ---- */

static PFNGLBINDFRAMEBUFFERPROC bind_framebuffer;
static PFNGLBLITFRAMEBUFFERPROC blit_framebuffer;

/* Nobody looks at the window: what is drawn into it has no pixels. Screenshots and recordings have framebuffers of their own. */
static void bind_without_window(GLenum target, GLuint framebuffer) {
    (framebuffer == 0 ? glEnable : glDisable)(GL_RASTERIZER_DISCARD);
    bind_framebuffer(target, framebuffer);
}

static void blit_without_window(GLint x0, GLint y0, GLint x1, GLint y1, GLint to_x0, GLint to_y0, GLint to_x1,
                                GLint to_y1, GLbitfield mask, GLenum filter) {
    if (!glIsEnabled(GL_RASTERIZER_DISCARD)) blit_framebuffer(x0, y0, x1, y1, to_x0, to_y0, to_x1, to_y1, mask, filter);
}

/* epoxy calls OpenGL through variables, and finds a function in its first call. */
static void draw_no_pixels(void) {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    if (epoxy_glBindFramebuffer == bind_without_window) return;
    glBlitFramebuffer(0, 0, 0, 0, 0, 0, 0, 0, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    bind_framebuffer = epoxy_glBindFramebuffer;
    blit_framebuffer = epoxy_glBlitFramebuffer;
    epoxy_glBindFramebuffer = bind_without_window;
    epoxy_glBlitFramebuffer = blit_without_window;
}

/* ---- Frames ---- */

/* Waits until other threads have written what a frame gave them, so that nothing depends on their speed. */
static void wait_for_threads(void) {
    pd_recorder *recorder = &app()->device.recorder;
    if (recorder->sink) pd_sink_wait_until_written(recorder->sink);
    pd_screenshot_announce_finished(recorder, &app()->viewport.announcer, true);
}

/* Waits until a process of the window has news: frames of an export, or the end of the program that opens the manual. */
static void wait_for_processes(void) {
    pd_device *device = &app()->device;
    siginfo_t end;
    struct pollfd output = {.fd = device->exporter.output, .events = POLLIN};
    if (device->exporter.process) poll(&output, 1, -1);
    if (device->opener.process) waitid(P_PID, (id_t)device->opener.process, &end, WEXITED | WNOWAIT);
}

static void make_frame(bool waits) {
    begin_output();
    if (waits) wait_for_processes();
    current.ended = !window_frame(&current.window);
    wait_for_threads();
    end_output(current.program);
    atomic_store(&now, (floor(atomic_load(&now) / PERIOD + 1e-6) + 1) * PERIOD); /* when the screen is refreshed */
}

void make_frames(int count) {
    for (int i = 0; i < count && current.is_open && !current.ended; i++) make_frame(false);
}

/* ---- The program ---- */

static void find_pointer(void);

void program_start(program *program, const char *const *arguments) {
    static char name[] = "puddle";
    pd_error error;
    char *list[64] = {name};
    int count = 1;
    for (; arguments[count - 1]; count++) list[count] = (char *)arguments[count - 1];
    assert_null(current.program);
    setenv("SDL_VIDEODRIVER", "offscreen", 1);
    signal(SIGXFSZ, SIG_IGN); /* as run_program does */
    signal(SIGPIPE, SIG_IGN);
    pd_scene_set_picture_reader(picture_read);
    begin_clock();
    streams[0] = open("heard", O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    streams[1] = open("errors", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644);
    assert_true(streams[0] >= 0 && streams[1] >= 0);
    *program = (struct program){0};
    current.program = program;
    begin_output();
    pd_result result = options_parse(count - 1, list + 1, &current.options, &error);
    if (current.options.threads == 0)
        current.options.threads = 1; /* several threads give the same bits, and take longer here */
    current.code = result ? report_error(&error) : window_begin(&current.window, &current.options);
    current.is_open = current.code == 0;
    current.ended = !current.is_open;
    end_output(program);
    if (!current.is_open) return;
    draw_no_pixels();
    find_pointer();
}

/* ---- Traces ---- */

/* Replaces each folder of the test in a text, whose name is left to chance, by "~". */
static void hide_folder(char *text) {
    const char *folder = getenv("PUDDLE_TEST_FOLDER");
    size_t length = strlen(folder);
    for (char *place = text; (place = strstr(place, folder)); place++) {
        *place = '~';
        memmove(place + 1, place + length, strlen(place + length) + 1);
    }
}

uint64_t hash_of_log(void) {
    const pd_session *session = &app()->session;
    pd_error error;
    void *text;
    size_t size;
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    if (pd_log_write(session->log, session->world, 0, "trace.log", &error)) fail_msg("%s", error.message);
    if (pd_file_read("trace.log", (size_t)1 << 30, &text, &size, &error)) fail_msg("%s", error.message);
    unlink("trace.log");
    hide_folder(text);
    for (const char *c = text; *c; c++) hash = (hash ^ (uint8_t)*c) * 0x100000001b3;
    pd_memory_free(text);
    return hash;
}

/* Appends the hash of the log to a file of this program in the folder $PUDDLE_TRACES: the same input gives the same logs with every
 * compiler, number of threads and sanitizer (.ci/run compares them). */
static void record_trace(void) {
    static int number;
    static FILE *file;
    char path[512];
    if (!getenv("PUDDLE_TRACES") || !app()->session.log) return;
    snprintf(path, sizeof path, "%s/%s", getenv("PUDDLE_TRACES"), getenv("PUDDLE_TEST_GROUP"));
    if (!file) file = fopen(path, "w");
    if (!file) fail_msg("%s: cannot be written", path);
    fprintf(file, "%s %d %016llx\n", getenv("PUDDLE_TEST_GROUP"), ++number, (unsigned long long)hash_of_log());
    fflush(file);
}

static int close_window(void) {
    int code = current.code;
    if (current.is_open && current.program) record_trace();
    begin_output();
    if (current.is_open) code = window_end(&current.window);
    end_output(current.program);
    close(streams[0]);
    close(streams[1]);
    pd_clock_replace(NULL);
    current.program = NULL;
    current.is_open = false;
    return code;
}

int program_end(program *program) {
    for (int i = 0; i < MOST_FRAMES && !current.ended; i++) make_frame(true);
    if (!current.ended) fail_msg("the window does not end; heard:\n%s", program->heard);
    return close_window();
}

void assert_exit(program *program, int expected) {
    int code = program_end(program);
    if (code != expected) fail_msg("exit code %d, not %d; told:\n%s", code, expected, errors_text());
}

int end_programs(void **state) {
    (void)state;
    if (!current.program) return 0;
    current.program = NULL; /* it was in the function of the failed test */
    close_window();
    return 0;
}

/* ---- Waits ---- */

bool was_heard(program *program, const char *text) { return strstr(program->heard, text) != NULL; }

/* Returns the next line with this text, behind the line found last. NULL: there is none yet. */
static const char *find_line(program *program, const char *text) {
    static char *line;
    char *start = program->heard + program->read, *stop;
    for (; (stop = strchr(start, '\n')); start = stop + 1) {
        program->read = (size_t)(stop + 1 - program->heard);
        free(line);
        line = strndup(start, (size_t)(stop - start));
        if (strstr(line, text)) return line;
    }
    return NULL;
}

const char *await_line(program *program, const char *text) {
    const char *line = find_line(program, text);
    for (int i = 0; !line && !current.ended && i < MOST_FRAMES; i++) {
        make_frame(true);
        line = find_line(program, text);
    }
    if (line) return line;
    size_t shown = program->length < 800 ? program->length : 800; /* cmocka shortens messages */
    fprintf(stderr, "%s", errors_text());
    fail_msg("no line with '%s' came%s; heard at last:\n%s", text, current.ended ? " before the program's end" : "",
             program->heard + program->length - shown);
    return NULL;
}

void await(bool (*arrived)(const void *context), const void *context, const char *what) {
    if (current.is_open)
        wait_for_processes(); /* may be what is awaited: the number of frames must not depend on their speed */
    for (int i = 0; !arrived(context); i++) {
        if (i == MOST_FRAMES || current.ended) fail_msg("%s: does not come", what);
        make_frame(true);
    }
}

static bool is_file(const void *path) { return access(path, F_OK) == 0; }

void await_file(const char *path) { await(is_file, path, path); }

/* ---- Input ---- */

static const struct {
    const char *name;
    SDL_Keycode code;
    SDL_Scancode place;
    char sign;  /* text of the key; 0: none */
    bool shift; /* the sign needs Shift, which is not pressed by the script */
} named_keys[] = {
    {"BackSpace", SDLK_BACKSPACE, SDL_SCANCODE_BACKSPACE, 0, false},
    {"Return", SDLK_RETURN, SDL_SCANCODE_RETURN, 0, false},
    {"Escape", SDLK_ESCAPE, SDL_SCANCODE_ESCAPE, 0, false},
    {"Tab", SDLK_TAB, SDL_SCANCODE_TAB, 0, false},
    {"Delete", SDLK_DELETE, SDL_SCANCODE_DELETE, 0, false},
    {"Up", SDLK_UP, SDL_SCANCODE_UP, 0, false},
    {"Down", SDLK_DOWN, SDL_SCANCODE_DOWN, 0, false},
    {"Left", SDLK_LEFT, SDL_SCANCODE_LEFT, 0, false},
    {"Right", SDLK_RIGHT, SDL_SCANCODE_RIGHT, 0, false},
    {"Home", SDLK_HOME, SDL_SCANCODE_HOME, 0, false},
    {"End", SDLK_END, SDL_SCANCODE_END, 0, false},
    {"Next", SDLK_PAGEDOWN, SDL_SCANCODE_PAGEDOWN, 0, false},
    {"Prior", SDLK_PAGEUP, SDL_SCANCODE_PAGEUP, 0, false},
    {"ctrl", SDLK_LCTRL, SDL_SCANCODE_LCTRL, 0, false},
    {"shift", SDLK_LSHIFT, SDL_SCANCODE_LSHIFT, 0, false},
    {"alt", SDLK_LALT, SDL_SCANCODE_LALT, 0, false},
    {"space", SDLK_SPACE, SDL_SCANCODE_SPACE, ' ', false},
    {"minus", SDLK_MINUS, SDL_SCANCODE_MINUS, '-', false},
    {"equal", SDLK_EQUALS, SDL_SCANCODE_EQUALS, '=', false},
    {"bracketleft", SDLK_LEFTBRACKET, SDL_SCANCODE_LEFTBRACKET, '[', false},
    {"bracketright", SDLK_RIGHTBRACKET, SDL_SCANCODE_RIGHTBRACKET, ']', false},
    {"period", SDLK_PERIOD, SDL_SCANCODE_PERIOD, '.', false},
    {"comma", SDLK_COMMA, SDL_SCANCODE_COMMA, ',', false},
    {"slash", SDLK_SLASH, SDL_SCANCODE_SLASH, '/', false},
    {"less", SDLK_COMMA, SDL_SCANCODE_COMMA, '<', true},
    {"greater", SDLK_PERIOD, SDL_SCANCODE_PERIOD, '>', true},
    {"plus", SDLK_EQUALS, SDL_SCANCODE_EQUALS, '+', true},
    {"question", SDLK_SLASH, SDL_SCANCODE_SLASH, '?', true},
};

typedef struct key {
    SDL_Keycode code;
    SDL_Scancode place;
    char sign;
    bool shift;
} key;

static Uint16 held_modifiers;
static struct {
    int x, y;       /* pixels of the screen */
    Uint32 buttons; /* bit N: button N is down */
    bool inside;    /* the pointer is in the window */
} mouse = {.x = SCREEN_WIDTH / 2, .y = SCREEN_HEIGHT / 2};

/* Returns the key with this sign, or without one if the sign is no text of a keyboard: its text still comes. */
static key key_of_sign(char sign) {
    for (size_t i = 0; i < sizeof named_keys / sizeof *named_keys; i++)
        if (named_keys[i].sign == sign)
            return (key){named_keys[i].code, named_keys[i].place, sign, named_keys[i].shift};
    int low = sign >= 'A' && sign <= 'Z' ? sign - 'A' + 'a' : sign;
    key found = {.code = low, .sign = sign, .shift = low != sign};
    if (low >= 'a' && low <= 'z') found.place = (SDL_Scancode)(SDL_SCANCODE_A + (low - 'a'));
    if (low >= '1' && low <= '9') found.place = (SDL_Scancode)(SDL_SCANCODE_1 + (low - '1'));
    if (low == '0') found.place = SDL_SCANCODE_0;
    return found;
}

static key key_of_name(const char *name) {
    int number;
    if (!name[1]) return key_of_sign(*name);
    if (sscanf(name, "F%d", &number) == 1)
        return (key){.code = SDLK_F1 + (number - 1), .place = (SDL_Scancode)(SDL_SCANCODE_F1 + (number - 1))};
    for (size_t i = 0; i < sizeof named_keys / sizeof *named_keys; i++)
        if (strcmp(named_keys[i].name, name) == 0)
            return (key){named_keys[i].code, named_keys[i].place, named_keys[i].sign, named_keys[i].shift};
    fail_msg("there is no key '%s'", name);
    return (key){0};
}

static Uint32 window_id(void) { return SDL_GetWindowID(app()->device.display.window); }

static void push(SDL_Event *event) { assert_int_equal(SDL_PushEvent(event), 1); }

static Uint16 modifier_of(SDL_Keycode code) {
    return code == SDLK_LCTRL ? KMOD_LCTRL : code == SDLK_LSHIFT ? KMOD_LSHIFT : code == SDLK_LALT ? KMOD_LALT : 0;
}

static void send_key(key pressed, bool down) {
    Uint16 modifier = modifier_of(pressed.code);
    held_modifiers = down ? held_modifiers | modifier : held_modifiers & (Uint16)~modifier;
    SDL_SetModState((SDL_Keymod)held_modifiers);
    Uint16 modifiers = held_modifiers | (pressed.shift ? KMOD_LSHIFT : 0);
    SDL_Event event = {.key = {.type = down ? SDL_KEYDOWN : SDL_KEYUP,
                               .windowID = window_id(),
                               .state = down ? SDL_PRESSED : SDL_RELEASED,
                               .keysym = {.scancode = pressed.place, .sym = pressed.code, .mod = modifiers}}};
    push(&event);
    if (!down || !pressed.sign || (modifiers & (KMOD_CTRL | KMOD_ALT))) return;
    /* The text comes also if the window has not started text input yet, as if each key had a frame of its own. */
    bool upper = pressed.sign >= 'a' && pressed.sign <= 'z' && (modifiers & KMOD_SHIFT);
    SDL_Event text = {.text = {.type = SDL_TEXTINPUT, .windowID = window_id()}};
    text.text.text[0] = (char)(upper ? pressed.sign - 'a' + 'A' : pressed.sign);
    push(&text);
}

void press_layout_key(int label, int place, int modifiers, const char *text) {
    for (int down = 1; down >= 0; down--) {
        SDL_Keysym pressed = {.scancode = (SDL_Scancode)place, .sym = label, .mod = (Uint16)modifiers};
        SDL_Event event = {.key = {.type = down ? SDL_KEYDOWN : SDL_KEYUP,
                                   .windowID = window_id(),
                                   .state = down ? SDL_PRESSED : SDL_RELEASED,
                                   .keysym = pressed}};
        push(&event);
        SDL_Event typed = {.text = {.type = SDL_TEXTINPUT, .windowID = window_id()}};
        snprintf(typed.text.text, sizeof typed.text.text, "%s", text ? text : "");
        if (down && text && SDL_IsTextInputActive()) push(&typed);
    }
    make_frames(1);
}

static const int *layout; /* labels of set_keyboard_layout */
static int layout_size;

void set_keyboard_layout(const int *labels, int count) {
    layout = labels;
    layout_size = count;
}

/* Replaces SDL's function, which knows the layout of a US keyboard alone without a display. */
SDL_Keycode SDL_GetKeyFromScancode(SDL_Scancode place) {
    static const char us[] =
        "abcdefghijklmnopqrstuvwxyz1234567890\r\x1b\b\t -=[]\\#;'`,./"; /* from SDL_SCANCODE_A on */
    int index = (int)place - SDL_SCANCODE_A;
    if ((int)place < layout_size && layout[place]) return layout[place];
    return index >= 0 && index < (int)sizeof us - 1 ? us[index] : (SDL_Keycode)SDL_SCANCODE_TO_KEYCODE(place);
}

/* Presses keys such as "ctrl+shift+z", or releases them in the opposite order. */
static void send_keys(const char *names, bool down) {
    char text[64], *parts[4], *rest = text;
    int count = 0;
    snprintf(text, sizeof text, "%s", names);
    for (char *part; count < 4 && (part = strsep(&rest, "+"));) parts[count++] = part;
    for (int i = 0; i < count; i++) send_key(key_of_name(parts[down ? i : count - 1 - i]), down);
}

static void type_key(const char *names) {
    send_keys(names, true);
    send_keys(names, false);
}

void send_window_event(int event) {
    SDL_Event sent = {.window = {.type = SDL_WINDOWEVENT, .windowID = window_id(), .event = (Uint8)event}};
    push(&sent);
}

void close_by_window_manager(void) {
    SDL_Event sent = {.type = SDL_QUIT};
    push(&sent);
}

void resize_window(int width, int height) {
    SDL_SetWindowSize(app()->device.display.window, width, height);
    send_window_event(SDL_WINDOWEVENT_SIZE_CHANGED);
}

void drop_file(const char *path) {
    SDL_Event sent = {.drop = {.type = SDL_DROPFILE, .windowID = window_id(), .file = SDL_strdup(path)}};
    push(&sent);
}

/* Moves the pointer. Outside of the window there is no motion, unless a button is held. */
static void move_mouse(int x, int y) {
    int from_x = mouse.x, from_y = mouse.y;
    mouse.x = x;
    mouse.y = y;
    if (!current.is_open) return;
    rectangle window = window_place(current.program);
    bool inside = x >= window.x && x < window.x + window.width && y >= window.y && y < window.y + window.height;
    if (inside && !mouse.inside) send_window_event(SDL_WINDOWEVENT_ENTER);
    if (inside || mouse.buttons) {
        SDL_Event event = {.motion = {.type = SDL_MOUSEMOTION,
                                      .windowID = window_id(),
                                      .x = x - window.x,
                                      .y = y - window.y,
                                      .xrel = x - from_x,
                                      .yrel = y - from_y}};
        push(&event);
    }
    if (!inside && mouse.inside) send_window_event(SDL_WINDOWEVENT_LEAVE);
    mouse.inside = inside;
}

/* Tells a new window where the pointer is. No key and no button is held. */
static void find_pointer(void) {
    held_modifiers = 0;
    mouse.buttons = 0;
    mouse.inside = false;
    SDL_SetModState(KMOD_NONE);
    move_mouse(mouse.x, mouse.y);
}

static void send_button(int number, bool down) {
    rectangle window = window_place(current.program);
    if (number > 3) {
        float notch = number == 4 ? 1 : -1;
        SDL_Event wheel = {
            .wheel = {.type = SDL_MOUSEWHEEL, .windowID = window_id(), .y = (Sint32)notch, .preciseY = notch}};
        if (down) push(&wheel);
        return;
    }
    mouse.buttons = down ? mouse.buttons | 1u << number : mouse.buttons & ~(1u << number);
    SDL_Event event = {.button = {.type = down ? SDL_MOUSEBUTTONDOWN : SDL_MOUSEBUTTONUP,
                                  .windowID = window_id(),
                                  .button = (Uint8)number,
                                  .state = down ? SDL_PRESSED : SDL_RELEASED,
                                  .clicks = 1,
                                  .x = mouse.x - window.x,
                                  .y = mouse.y - window.y}};
    push(&event);
}

/* ---- Scripts ---- */

/* Reads the next word of a script, which may stand in quotes, into `word`. Returns the rest, or NULL at the end. */
static const char *read_word(const char *script, char *word, size_t size) {
    size_t length = 0;
    script += strspn(script, " ");
    if (!*script) return NULL;
    for (char quote = 0; *script && (quote || *script != ' '); script++) {
        if (*script == '\'')
            quote = quote ? 0 : '\'';
        else if (length + 1 < size)
            word[length++] = *script;
    }
    word[length] = '\0';
    return script;
}

static bool is_command(const char *word) {
    static const char *const commands[] = {"key",       "keydown", "keyup", "type", "mousemove", "mousemove_relative",
                                           "mousedown", "mouseup", "click", "sleep"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(word, commands[i]) == 0) return true;
    return false;
}

/* Reads a number behind options. *repeats: value of --repeat. */
static const char *read_number(const char *script, double *number, int *repeats) {
    char word[64];
    for (;;) {
        script = read_word(script, word, sizeof word);
        assert_non_null(script);
        if (strcmp(word, "--") == 0) continue;
        if (strncmp(word, "--", 2) != 0) break;
        double value;
        bool repeat = strcmp(word, "--repeat") == 0;
        script = read_number(script, &value, repeats);
        if (repeat) *repeats = (int)value;
    }
    char *end;
    *number = strtod(word, &end);
    if (*end || end == word) fail_msg("'%s' is no number", word);
    return script;
}

/* Sends what follows the command key: names of keys up to the next command. */
static const char *send_named_keys(const char *script, const char *command) {
    char word[64];
    int ignored;
    double delay;
    for (const char *rest; (rest = read_word(script, word, sizeof word)) && !is_command(word); script = rest) {
        if (strcmp(word, "--delay") == 0)
            rest = read_number(rest, &delay, &ignored);
        else if (strcmp(command, "key") == 0)
            type_key(word);
        else
            send_keys(word, strcmp(command, "keydown") == 0);
    }
    return script;
}

static const char *send_text(const char *script) {
    char word[512];
    double count;
    int ignored;
    const char *rest = read_word(script, word, sizeof word);
    if (strcmp(word, "--args") == 0) rest = read_word(read_number(rest, &count, &ignored), word, sizeof word);
    for (const char *c = word; *c; c++) {
        send_key(key_of_sign(*c), true);
        send_key(key_of_sign(*c), false);
    }
    return rest;
}

static const char *send_mouse(const char *script, const char *command) {
    double x, y = 0;
    int repeats = 1;
    bool moves = strncmp(command, "mousemove", 9) == 0, clicks = strcmp(command, "click") == 0;
    script = read_number(script, &x, &repeats);
    if (moves) script = read_number(script, &y, &repeats);
    bool relative = command[strlen("mousemove")] == '_' && moves;
    if (moves) move_mouse((int)x + (relative ? mouse.x : 0), (int)y + (relative ? mouse.y : 0));
    for (int i = 0; i < repeats && !moves; i++) {
        if (strcmp(command, "mouseup") != 0) send_button((int)x, true);
        if (clicks || strcmp(command, "mouseup") == 0) send_button((int)x, false);
    }
    return script;
}

static const char *let_time_pass(const char *script) {
    double seconds;
    int ignored;
    script = read_number(script, &seconds, &ignored);
    make_frames((int)ceil(seconds / PERIOD));
    return script;
}

void queue_input(const char *script) {
    char command[64];
    if (current.is_open && current.ended) fail_msg("the window has ended before '%s'", script);
    while ((script = read_word(script, command, sizeof command))) {
        if (!is_command(command)) fail_msg("'%s' is no command of input", command);
        if (strncmp(command, "key", 3) == 0)
            script = send_named_keys(script, command);
        else if (strcmp(command, "type") == 0)
            script = send_text(script);
        else if (strcmp(command, "sleep") == 0)
            script = let_time_pass(script);
        else
            script = send_mouse(script, command);
    }
}

void hand(const char *script) {
    queue_input(script);
    make_frames(1);
}

/* ---- Places ---- */

rectangle window_place(program *program) {
    (void)program;
    rectangle place;
    SDL_Window *window = app()->device.display.window;
    SDL_GetWindowPosition(window, &place.x, &place.y);
    SDL_GetWindowSize(window, &place.width, &place.height);
    return place;
}

rectangle find_place(program *program, const char *name) {
    enum { LAYOUT_FRAMES = 3 }; /* a widget that was opened or scrolled reaches its place in the second frame */
    int count;
    make_frames(LAYOUT_FRAMES);
    if (current.ended) fail_msg("the window has ended, and '%s' with it", name);
    rectangle window = window_place(program), found = {0};
    const ui_target *targets = ui_targets(app()->device.ui, &count);
    for (int i = 0; i < count; i++)
        if (strcmp(targets[i].name, name) == 0)
            found = (rectangle){window.x + (int)roundf(targets[i].x), window.y + (int)roundf(targets[i].y),
                                (int)roundf(targets[i].width), (int)roundf(targets[i].height)};
    return found;
}

float width_of_text(const char *text) { return ui_text_width(app()->device.ui, UI_NORMAL, text); }

bool fonts_are_missing(void) { return ui_lacks_glyphs(app()->device.ui); }
