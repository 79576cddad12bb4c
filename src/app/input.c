/* From SDL's events to actions and the pointer. */
#include "app/state.h"

#include <math.h>
#include <SDL.h>

/* SDL's keys as the table numbers them; 0: not one of ours.
 *
 * Letters come from the key, signs and digits from the text it writes: '[' may need AltGr and '5' Shift, depending on
 * the keyboard. On keyboards without Latin letters the letter's place counts. */
static int code_of(const SDL_Keysym *key) {
    switch (key->sym) {
    case SDLK_UP:
        return PD_KEY_UP;
    case SDLK_DOWN:
        return PD_KEY_DOWN;
    case SDLK_LEFT:
        return PD_KEY_LEFT;
    case SDLK_RIGHT:
        return PD_KEY_RIGHT;
    case SDLK_TAB:
        return PD_KEY_TAB;
    case SDLK_BACKSPACE:
        return PD_KEY_BACKSPACE;
    case SDLK_ESCAPE:
        return PD_KEY_ESCAPE;
    case SDLK_SPACE:
        return ' ';
    case SDLK_F1:
        return PD_KEY_F1;
    case SDLK_F9:
        return PD_KEY_F9;
    case SDLK_F11:
        return PD_KEY_F11;
    case SDLK_F12:
        return PD_KEY_F12;
    default:
        break;
    }
    if (key->sym >= 'a' && key->sym <= 'z') return key->sym;
    bool latin = key->sym < 128 || (key->sym & SDLK_SCANCODE_MASK);
    if (!latin && key->scancode >= SDL_SCANCODE_A && key->scancode <= SDL_SCANCODE_Z)
        return 'a' + (int)(key->scancode - SDL_SCANCODE_A);
    return 0;
}

static void key_pressed(pd_app *app, int code, int modifiers, bool repeated) {
    int argument = 0;
    const pd_key *key = pd_key_find(code, modifiers, &argument);
    if (key && (!repeated || key->repeats)) pd_app_act(app, key->action, argument);
}

/* Escape leaves the menu or the help that is open before it leaves the program; false: neither is. */
static bool leave_what_is_open(pd_app *app) {
    if (ui_close_menu(app->ui)) return true;
    bool open = app->help;
    app->help = false;
    return open;
}

static int modifiers_of(const SDL_Keysym *key) {
    return (key->mod & KMOD_CTRL ? PD_CONTROL : 0) | (key->mod & KMOD_SHIFT ? PD_SHIFT : 0);
}

static void on_key(pd_app *app, const SDL_KeyboardEvent *event) {
    app->key_repeats = event->repeat != 0;                  /* the text that it writes follows as an event of its own */
    if (event->keysym.mod & (KMOD_LALT | KMOD_GUI)) return; /* the desktop's */
    int code = code_of(&event->keysym);
    if (code == PD_KEY_ESCAPE && (event->repeat || leave_what_is_open(app))) return;
    key_pressed(app, code, modifiers_of(&event->keysym), event->repeat != 0);
}

static void on_text(pd_app *app, const char *text) {
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (c > ' ' && c < 127 && !letter) key_pressed(app, c, 0, app->key_repeats);
    }
}

static void on_wheel(pd_app *app, const SDL_MouseWheelEvent *event) {
    pd_pointer *pointer = &app->pointer;
    if (pd_pointer_over_panel(app)) return;
    float notches = event->preciseY;
    if (event->direction == SDL_MOUSEWHEEL_FLIPPED) notches = -notches;
    if (notches == 0) return;
    pointer->size = fminf(fmaxf(pointer->size * powf(1.1f, notches), 0.03f), 0.8f);
    pd_app_change(app, "Tool size", (double)pd_pointer_radius(app), "m");
}

static void on_window(pd_app *app, const SDL_WindowEvent *event) {
    switch (event->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        pd_display_measure(&app->display);
        ui_set_scale(app->ui, app->display.scale);
        pd_app_tell_size(app);
        break;
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        app->display.hidden = true;
        break;
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_SHOWN:
        app->display.hidden = false;
        break;
    case SDL_WINDOWEVENT_LEAVE:
        app->pointer.inside = false;
        break;
    default:
        break;
    }
}

static void on_pointer(pd_app *app, int x, int y) {
    app->pointer.pixel_x = ((float)x + 0.5f) * app->display.ratio;
    app->pointer.pixel_y = ((float)y + 0.5f) * app->display.ratio;
    app->pointer.inside = true;
}

/* The row of the table that a press is of; NULL: none, or it is the desktop's, or comes from holding the key. */
static const pd_key *key_of(const SDL_KeyboardEvent *event) {
    int argument, code = code_of(&event->keysym);
    if (event->repeat || (event->keysym.mod & (KMOD_LALT | KMOD_GUI))) return NULL;
    return pd_key_find(code, modifiers_of(&event->keysym), &argument);
}

bool pd_app_leaving(pd_app *app) {
    enum { MOST = 256 }; /* events to look at */
    SDL_Event events[MOST];
    if (app->options.interrupted && app->options.interrupted()) app->running = false;
    if (!app->running) return true;
    SDL_PumpEvents();
    int count = SDL_PeepEvents(events, MOST, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
    /* Escape and Ctrl+Q end the program unless something is open that they are for, or may be by then. */
    bool plain = !app->help && !ui_menu_open(app->ui) && !ui_typing(app->ui);
    for (int i = 0; i < count; i++) {
        if (events[i].type == SDL_QUIT) return true;
        if (events[i].type == SDL_MOUSEBUTTONDOWN && app->panel) plain = false;
        if (events[i].type != SDL_KEYDOWN) continue;
        const pd_key *key = key_of(&events[i].key);
        if (plain && key && key->action == PD_ACTION_QUIT) return true;
        if (key && (key->action == PD_ACTION_HELP || key->action == PD_ACTION_PANEL)) plain = false;
    }
    return false;
}

void pd_app_event(pd_app *app, const SDL_Event *event) {
    ui_event(app->ui, event);
    app->redraw = 3; /* the panel needs a frame or two to settle */
    bool typing = ui_typing(app->ui);
    switch (event->type) {
    case SDL_QUIT:
        app->running = false;
        break;
    case SDL_KEYDOWN:
        if (!typing) on_key(app, &event->key);
        break;
    case SDL_TEXTINPUT:
        if (!typing) on_text(app, event->text.text);
        break;
    case SDL_MOUSEMOTION:
        on_pointer(app, event->motion.x, event->motion.y);
        break;
    case SDL_MOUSEBUTTONDOWN:
        on_pointer(app, event->button.x, event->button.y);
        pd_pointer_press(app, event->button.button, (SDL_GetModState() & KMOD_SHIFT) != 0);
        break;
    case SDL_MOUSEBUTTONUP:
        on_pointer(app, event->button.x, event->button.y);
        pd_pointer_release(app, event->button.button);
        break;
    case SDL_MOUSEWHEEL:
        on_wheel(app, &event->wheel);
        break;
    case SDL_DROPFILE:
        pd_app_open(app, event->drop.file);
        SDL_free(event->drop.file);
        break;
    case SDL_WINDOWEVENT:
        on_window(app, &event->window);
        break;
    default:
        break;
    }
}
