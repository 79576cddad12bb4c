/* The program's window in the process of the test: SDL's offscreen driver, events of SDL_PushEvent, and a clock that only frames
 * move. So the same input gives the same frames and the same log on any machine, and no wait costs time.
 *
 * One window is open at a time. hand() sends the input of one frame and makes the frame. The waits make frames until something has
 * happened, as a person does who looks at the window. */
#ifndef PUDDLE_TESTS_IN_PROCESS_H
#define PUDDLE_TESTS_IN_PROCESS_H

#include "test.h"

#include <stdbool.h>

/* The screen of SDL's offscreen driver, in whose middle the window opens, pixels. */
enum { SCREEN_WIDTH = 1024, SCREEN_HEIGHT = 768 };

/* What a window has printed. */
typedef struct program {
    char *heard;         /* text on standard output so far */
    size_t length, read; /* bytes of `heard`; bytes searched by await_line */
} program;

/* Seconds by which each reading of the clock moves it: the time that the program's work takes, for the test. A step then takes time too,
 * and takes longer than a frame if the value is large. program_start sets it to READING_TIME. */
extern double seconds_per_reading;
#define READING_TIME 20e-6

/* Opens the window of a command line, which NULL ends. Standard error goes to the file "errors" of the present folder. */
void program_start(program *program, const char *const *arguments);
/* Waits until the window ends by itself, and closes it. Returns the exit code of the command. */
int program_end(program *program);
/* As program_end, and expects this exit code. */
void assert_exit(program *program, int expected);
/* Makes frames, of 1/60 s each. */
void make_frames(int count);
/* Sends input by a script of xdotool's words, and makes a frame:
 *
 *     key NAME..., keydown NAME, keyup NAME     NAME: a, ctrl+shift+z, Return, F5
 *     type 'TEXT'
 *     mousemove X Y, mousemove_relative X Y     pixels of the screen
 *     mousedown N, mouseup N, click N           N: 1 left, 2 middle, 3 right, 4 and 5 the wheel
 *     sleep SECONDS                             frames for so long
 *
 * The options --delay, --args, --repeat and -- are read as by xdotool; delays have no effect. */
void hand(const char *script);
/* As hand, without a frame. The input of several calls then comes in one frame. */
void queue_input(const char *script);
/* Presses and releases a key of a keyboard layout, and makes a frame. label: its character without Shift, or an SDLK_ constant; place:
 * SDL_Scancode; modifiers: sum of KMOD_ constants. Like SDL, sends `text` only if the window wants text. */
void press_layout_key(int label, int place, int modifiers, const char *text);
/* Replaces the keyboard layout: labels[place] for each SDL_Scancode below `count`; 0: the label of a US keyboard. count 0: a US
 * keyboard. */
void set_keyboard_layout(const int *labels, int count);
/* Sends an event of the window: SDL_WINDOWEVENT_HIDDEN. */
void send_window_event(int event);
/* Closes the window, as by its close button. */
void close_by_window_manager(void);
/* Gives the window another size, pixels. */
void resize_window(int width, int height);
/* Opens a file that is dropped on the window. */
void drop_file(const char *path);

/* Makes frames until a line with this text is printed, behind the line found last. The result is valid until the next call. */
const char *await_line(program *program, const char *text);
/* Returns whether a text was printed. */
bool was_heard(program *program, const char *text);
/* Makes frames until `arrived` returns true. what: named if it never does. */
void await(bool (*arrived)(const void *context), const void *context, const char *what);
/* Makes frames until a file exists. */
void await_file(const char *path);
/* Returns the text of the file "errors" so far. */
const char *errors_text(void);

/* A rectangle of the screen, in pixels. */
typedef struct rectangle {
    int x, y, width, height;
} rectangle;

/* Returns the rectangle of the window. */
rectangle window_place(program *program);
/* Finds the place of a button or slider by its name, "Pour", "Rest density", or of the "Picture". Of two places of a name the upper layer counts. Width 0: none. */
rectangle find_place(program *program, const char *name);

/* Returns the width that the interface gives to a text, interface units. A character without a font is as wide as "?". */
float width_of_text(const char *text);
/* Returns whether the last frame has drawn characters whose font the next frame loads. */
bool fonts_are_missing(void);

/* Returns the hash of the log of the open window, with all of its commands and the state of the world at its end. */
uint64_t hash_of_log(void);

/* Teardown: closes a window that a failed test has left. */
int end_programs(void **state);

#endif
