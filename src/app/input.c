/* SDL's events: what they mean to the session, the viewport and the device. */
#include "app/loop.h"

#include <math.h>
#include <SDL.h>

/* A throw is as fast as the hand was in simulated time, which counts as no slower than this. */
static const double SLOWEST = 0.25;
static const float TURN = 15, SPIN = 30, BOX_TURN = 5; /* degrees, degrees/s: a notch of the wheel */

/* With Ctrl there is no text: on layouts whose digits need Shift the position of the key counts. 0: it is no digit from 1 to 9. */
static int digit_of(const SDL_Keysym *key) {
    if (key->sym >= '1' && key->sym <= '9') return key->sym;
    if (key->sym >= SDLK_KP_1 && key->sym <= SDLK_KP_9) return '1' + (int)(key->sym - SDLK_KP_1);
    bool row = key->scancode >= SDL_SCANCODE_1 && key->scancode <= SDL_SCANCODE_9;
    return row ? '1' + (int)(key->scancode - SDL_SCANCODE_1) : 0;
}

/* The code of an SDL key in the table of keys; 0: it is not in the table.
 *
 * Letters are taken from key events, signs and digits from text events: '[' may need AltGr and '5' Shift, depending on
 * the keyboard layout. On layouts without Latin letters the position of the key counts. */
static int code_of(const SDL_Keysym *key) {
    int digit = key->mod & KMOD_CTRL ? digit_of(key) : 0;
    if (digit) return digit;
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
    case SDLK_RETURN:
    case SDLK_KP_ENTER:
        return PD_KEY_ENTER;
    case SDLK_PAGEUP:
        return PD_KEY_PAGE_UP;
    case SDLK_PAGEDOWN:
        return PD_KEY_PAGE_DOWN;
    case SDLK_HOME:
        return PD_KEY_HOME;
    case SDLK_END:
        return PD_KEY_END;
    case SDLK_SPACE:
        return ' ';
    case SDLK_F1:
        return PD_KEY_F1;
    case SDLK_F2:
    case SDLK_F3:
    case SDLK_F4:
    case SDLK_F5:
    case SDLK_F6:
    case SDLK_F7:
    case SDLK_F8:
        return PD_KEY_F2 + (int)(key->sym - SDLK_F2);
    case SDLK_F9:
        return PD_KEY_F9;
    case SDLK_F10:
        return PD_KEY_F10;
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
    if (!key || (repeated && !key->repeats)) return;
    if (key->action == PD_ACTION_REWIND)
        pd_backwards_press(&app->session); /* acts when it is released or has been held for a while */
    else
        pd_app_act(app, key->action, argument);
}

/* Escape drops what is drawn and closes an open menu, the help or the second pane before it quits the program; false: there is none
 * of that. */
static bool close_overlay(pd_app *app) {
    pd_world *second = app->session.second.world;
    if (app->device.pointer.draws) {
        app->device.pointer.draws = app->session.draft.active = false;
        return true;
    }
    if (ui_close_menu(app->device.ui)) return true;
    bool open = app->viewport.help || app->viewport.material_palette.open;
    app->viewport.help = app->viewport.material_palette.open = false;
    if (open || !second) return open;
    pd_session_compare(&app->session, pd_world_method(second));
    return true;
}

static int modifiers_of(const SDL_Keysym *key) {
    return (key->mod & KMOD_CTRL ? PD_CONTROL : 0) | (key->mod & KMOD_SHIFT ? PD_SHIFT : 0);
}

static void browser_key(pd_app *app, int code, const SDL_KeyboardEvent *event) {
    bool again = code == 'o' && modifiers_of(&event->keysym) == PD_CONTROL; /* what opened it */
    if (again && event->repeat) return;
    pd_browser_key(&app->viewport.browser, &app->session, again ? PD_KEY_ESCAPE : code);
    ui_request_frame(app->device.ui); /* it may scroll, and a press that follows is for what is then there */
}

static void on_key(pd_app *app, const SDL_KeyboardEvent *event) {
    app->device.key_repeats = event->repeat != 0;           /* its text follows as a separate event */
    if (event->keysym.mod & (KMOD_LALT | KMOD_GUI)) return; /* for the desktop */
    int code = code_of(&event->keysym);
    bool leaves = code == 'q' && modifiers_of(&event->keysym) == PD_CONTROL;
    if (code == PD_KEY_F10) {
        key_pressed(app, code, modifiers_of(&event->keysym), event->repeat != 0);
        return;
    }
    if (app->viewport.browser.open && !leaves) {
        browser_key(app, code, event);
        return;
    }
    if (app->viewport.new_scene.open && !leaves) {
        pd_new_scene_key(&app->viewport.new_scene, &app->session, code);
        return;
    }
    if (pd_material_palette_key(&app->viewport, &app->session, code, modifiers_of(&event->keysym))) return;
    if (code == PD_KEY_ESCAPE && (event->repeat || close_overlay(app))) return;
    key_pressed(app, code, modifiers_of(&event->keysym), event->repeat != 0);
}

/* In the order of the events: SDL_GetModState knows of those that are still in the queue. */
static void hold_shift(pd_app *app, const SDL_KeyboardEvent *event) {
    app->device.pointer.shift = (event->keysym.mod & KMOD_SHIFT) != 0;
}

static void on_text(pd_app *app, const char *text) {
    if (app->viewport.new_scene.open || app->viewport.browser.open) return;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (c > ' ' && c < 127 && !letter) key_pressed(app, c, 0, app->device.key_repeats);
    }
}

/* The browser and the dialog follow the pointer. */
static void point_overlay(pd_app *app) {
    float scale = app->device.display.scale, x = app->device.pointer.pixel_x / scale,
          y = app->device.pointer.pixel_y / scale;
    if (app->viewport.browser.open) pd_browser_point(&app->viewport.browser, x, y);
    if (app->viewport.new_scene.open) pd_new_scene_point(&app->viewport.new_scene, x, y);
}

static void announce_size(pd_app *app) {
    double radius = (double)pd_pointer_radius(&app->device.pointer);
    pd_announcer *announcer = &app->viewport.announcer;
    if (app->session.tool == PD_BAR_WALL)
        pd_announce_value(announcer, "Wall thickness", (double)pd_draft_thickness((float)radius), "m");
    else if (app->session.tool == PD_BAR_EMITTER)
        pd_announce_value(announcer, "Emitter width", radius, "m");
    else
        pd_announce_value(announcer, "Tool size", radius, "m");
}

/* The wheel turns what the tool move holds and the box that is drawn; else it sets the size of the tool. */
static void on_notches(pd_app *app, float notches) {
    pd_session *session = &app->session;
    pd_pointer *pointer = &app->device.pointer;
    pd_draft *draft = &session->draft;
    const pd_item *item = &session->grab.item;
    if (item->list == PD_ITEM_OBSTACLE && pointer->held == PD_TOOL_MOVE) {
        if (pointer->shift)
            pd_session_spin_obstacle(session, item->index, SPIN * notches);
        else
            pd_session_turn_obstacle(session, item->index, TURN * notches);
        return;
    }
    if (pointer->draws && draft->tool == PD_BAR_SHAPE) {
        draft->angle = fmodf(draft->angle + BOX_TURN * notches, 180);
        if (draft->shape == PD_CHOICE_BOX)
            pd_announce_value(&app->viewport.announcer, "Box angle", (double)draft->angle, "°");
        return;
    }
    pointer->size = fminf(fmaxf(pointer->size * powf(1.1f, notches), 0.03f), 0.8f);
    draft->size = pd_pointer_radius(pointer);
    announce_size(app);
}

static void on_wheel(pd_app *app, const SDL_MouseWheelEvent *event) {
    float notches = event->preciseY != 0 ? event->preciseY : event->preciseX; /* with Shift it may count as sideways */
    if (event->direction == SDL_MOUSEWHEEL_FLIPPED) notches = -notches;
    if (app->viewport.browser.open) {
        pd_browser_wheel(&app->viewport.browser, notches);
        point_overlay(app);
    }
    if (app->viewport.help && app->viewport.help_sheet.hidden > 0) {
        pd_help_wheel(&app->viewport, notches);
        return;
    }
    if (!pd_pointer_is_busy(&app->device.pointer) && pd_app_covered(app)) return;
    if (notches != 0) on_notches(app, notches);
}

static void on_window(pd_app *app, const SDL_WindowEvent *event) {
    switch (event->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        pd_display_measure(&app->device.display);
        ui_set_scale(app->device.ui, app->device.display.scale);
        pd_announce_size(&app->viewport.announcer, app->device.display.width, app->device.display.height);
        break;
    case SDL_WINDOWEVENT_MINIMIZED:
    case SDL_WINDOWEVENT_HIDDEN:
        app->device.display.hidden = true;
        break;
    case SDL_WINDOWEVENT_RESTORED:
    case SDL_WINDOWEVENT_MAXIMIZED:
    case SDL_WINDOWEVENT_SHOWN:
        app->device.display.hidden = false;
        break;
    case SDL_WINDOWEVENT_LEAVE:
        app->device.pointer.present = false;
        break;
    default:
        break;
    }
}

static void on_pointer(pd_app *app, int x, int y) {
    pd_pointer *pointer = &app->device.pointer;
    float pixel_x = ((float)x + 0.5f) * app->device.display.ratio,
          pixel_y = ((float)y + 0.5f) * app->device.display.ratio;
    if (!pointer->present)
        pd_probe_arrive(&app->viewport.probe);
    else if (pixel_x != pointer->pixel_x || pixel_y != pointer->pixel_y)
        pd_probe_disturb(&app->viewport.probe);
    pointer->pixel_x = pixel_x;
    pointer->pixel_y = pixel_y;
    pointer->present = true;
    point_overlay(app);
    if (!pointer->draws) return;
    pd_app_locate(app);
    pd_session_move_draft(&app->session, pointer->position, pointer->shift);
}

/* A press in the picture, of a button whose press is that tool. */
static void press_world(pd_app *app, int button, pd_tool_kind kind) {
    pd_pointer *pointer = &app->device.pointer;
    pd_session *session = &app->session;
    bool left = button == SDL_BUTTON_LEFT, items = left && kind == pd_session_tool_kind(session);
    pd_session_end_travel(session);
    pd_app_locate(app);
    pd_session_end_grab(session);
    if (kind == PD_TOOL_NONE) {
        if (pd_session_begin_draft(session, pointer->position, pd_pointer_radius(pointer), pointer->unit))
            pd_pointer_draw(pointer, button);
        return;
    }
    float near = pd_ghost_grip(&app->viewport, &app->device.display);
    pd_item item = items ? pd_session_begin_grab(session, pointer->position, near) : (pd_item){PD_ITEM_NONE, -1};
    if (items && session->tool == PD_BAR_MOVE && item.list == PD_ITEM_NONE) return;
    int obstacle = item.list == PD_ITEM_OBSTACLE ? item.index : -1;
    if (kind == PD_TOOL_DRAG) obstacle = pd_world_obstacle_at(session->world, pointer->position, near);
    pd_pointer_hold(pointer, obstacle >= 0 ? PD_TOOL_MOVE : kind, button, obstacle);
}

static void on_press(pd_app *app, int button) {
    pd_pointer *pointer = &app->device.pointer;
    if (app->viewport.new_scene.open ||
        app->viewport.browser.open) /* the press may close them, and is not for the panel */
        ui_take_press(app->device.ui);
    if (app->viewport.new_scene.open) {
        float scale = app->device.display.scale;
        if (button == SDL_BUTTON_LEFT)
            pd_new_scene_press(&app->viewport.new_scene, &app->session, pointer->pixel_x / scale,
                               pointer->pixel_y / scale);
        return;
    }
    if (app->viewport.browser.open) {
        float scale = app->device.display.scale;
        if (button == SDL_BUTTON_LEFT)
            pd_browser_press(&app->viewport.browser, &app->session, pointer->pixel_x / scale, pointer->pixel_y / scale);
        return;
    }
    if (app->viewport.help && !pd_pointer_is_busy(pointer)) { /* it closes, and what lies under it is left as it is */
        app->viewport.help = false;
        ui_take_press(app->device.ui);
        return;
    }
    bool covered = pd_app_covered(app), left = button == SDL_BUTTON_LEFT && !pd_pointer_is_busy(pointer);
    if (left && pd_material_palette_press(&app->viewport, &app->session, &app->device.display, pointer->pixel_x,
                                          pointer->pixel_y))
        return;
    bool line = covered && pd_timeline_covers(&app->viewport, &app->device.display, pointer->pixel_x, pointer->pixel_y);
    if (line && pointer->held == PD_TOOL_NONE && button == SDL_BUTTON_LEFT) pd_seek_begin_drag(&app->session);
    bool bar = covered && pd_toolbar_covers(&app->viewport, &app->device.display, pointer->pixel_x, pointer->pixel_y);
    if (bar && pointer->held == PD_TOOL_NONE && button == SDL_BUTTON_LEFT)
        pd_toolbar_press(&app->viewport, &app->session, &app->device.display, pointer->pixel_x, pointer->pixel_y);
    if (covered && pointer->held == PD_TOOL_NONE && button == SDL_BUTTON_LEFT) {
        pd_action action = pd_panes_press(&app->viewport, &app->device.display, pointer->pixel_x, pointer->pixel_y);
        if (action != PD_ACTION_NONE) pd_app_act(app, action, 0);
    }
    if (!pd_pointer_press(pointer, button, covered)) return;
    pd_tool_kind kind = pd_pointer_kind(button, pointer->shift, pd_session_tool_kind(&app->session));
    if (kind == PD_TOOL_NONE && button != SDL_BUTTON_LEFT) return;
    press_world(app, button, kind);
    app->viewport.touched = true;
}

static pd_vec2 velocity_of_throw(const pd_app *app) {
    double speed = fmax(pd_session_speed(&app->session) * pd_pace_speed(&app->session.pace), SLOWEST);
    pd_vec2 velocity = app->device.pointer.velocity;
    return (pd_vec2){(float)(velocity.x / speed), (float)(velocity.y / speed)};
}

/* What was drawn is made; an obstacle that is let go with Shift is thrown. */
static void end_press(pd_app *app, int button) {
    pd_pointer *pointer = &app->device.pointer;
    pd_session *session = &app->session;
    if (button != pointer->button) return;
    if (pointer->draws) pd_session_end_draft(session);
    bool obstacle = session->grab.item.list == PD_ITEM_OBSTACLE && pointer->held == PD_TOOL_MOVE && !pointer->released;
    if (!obstacle || !pointer->shift) return;
    pd_session_throw_obstacle(session, session->grab.item.index, velocity_of_throw(app));
    pointer->held = PD_TOOL_NONE;
    pd_session_end_grab(session);
}

static void on_release(pd_app *app, int button) {
    if (button == SDL_BUTTON_LEFT) {
        pd_app_aim_seek(app); /* a click may begin and end within a frame */
        pd_seek_end_drag(&app->session);
    }
    end_press(app, button);
    pd_camera camera = pd_panel_camera(&app->viewport, &app->device.display);
    pd_pointer_release(&app->device.pointer, button, pd_panes_view(&app->viewport), &camera);
    pd_probe_disturb(&app->viewport.probe);
}

/* The row of the table for a key press; NULL: there is none, or the press is for the desktop or a repetition. */
static const pd_key *key_of(const SDL_KeyboardEvent *event) {
    int argument, code = code_of(&event->keysym);
    if (event->repeat || (event->keysym.mod & (KMOD_LALT | KMOD_GUI))) return NULL;
    return pd_key_find(code, modifiers_of(&event->keysym), &argument);
}

bool pd_app_quitting(pd_app *app) {
    enum { MAX_EVENTS = 256 };
    SDL_Event events[MAX_EVENTS];
    if (app->options.interrupted && app->options.interrupted()) app->running = false;
    if (!app->running) return true;
    SDL_PumpEvents();
    int count = SDL_PeepEvents(events, MAX_EVENTS, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
    /* Escape and Ctrl+Q quit, unless something that takes them is open or may be opened by an earlier event. */
    const pd_viewport *viewport = &app->viewport;
    bool draws = app->device.pointer.draws || pd_session_tool_kind(&app->session) == PD_TOOL_NONE;
    bool keys_quit = !app->device.pointer.draws && !viewport->help && !viewport->material_palette.open &&
                     !viewport->new_scene.open && !viewport->browser.open && !app->session.second.world &&
                     !ui_menu_open(app->device.ui) && !ui_typing(app->device.ui);
    for (int i = 0; i < count; i++) {
        if (events[i].type == SDL_QUIT) return true;
        if (events[i].type == SDL_MOUSEBUTTONDOWN && (app->viewport.panel || draws)) keys_quit = false;
        if (events[i].type != SDL_KEYDOWN) continue;
        const pd_key *key = key_of(&events[i].key);
        if (keys_quit && key && key->action == PD_ACTION_QUIT) return true;
        if (key &&
            (key->action == PD_ACTION_HELP || key->action == PD_ACTION_PANEL || key->action == PD_ACTION_NEW_SCENE ||
             key->action == PD_ACTION_BROWSE || key->action == PD_ACTION_COMPARE || key->action == PD_ACTION_MATERIALS))
            keys_quit = false;
    }
    return false;
}

void pd_app_event(pd_app *app, const SDL_Event *event) {
    ui_event(app->device.ui, event);
    app->redraw = 3; /* the panel's layout is complete after a frame or two */
    bool typing = ui_typing(app->device.ui);
    switch (event->type) {
    case SDL_QUIT:
        app->running = false;
        break;
    case SDL_KEYDOWN:
        hold_shift(app, &event->key);
        if (!typing) on_key(app, &event->key);
        break;
    case SDL_KEYUP: /* also when the window loses the keyboard */
        hold_shift(app, &event->key);
        if (event->key.keysym.sym == SDLK_BACKSPACE) pd_backwards_release(&app->session);
        break;
    case SDL_TEXTINPUT:
        if (!typing) on_text(app, event->text.text);
        break;
    case SDL_MOUSEMOTION:
        on_pointer(app, event->motion.x, event->motion.y);
        break;
    case SDL_MOUSEBUTTONDOWN:
        on_pointer(app, event->button.x, event->button.y);
        on_press(app, event->button.button);
        break;
    case SDL_MOUSEBUTTONUP:
        on_pointer(app, event->button.x, event->button.y);
        on_release(app, event->button.button);
        break;
    case SDL_MOUSEWHEEL:
        on_wheel(app, &event->wheel);
        break;
    case SDL_DROPFILE:
        pd_session_open(&app->session, event->drop.file);
        SDL_free(event->drop.file);
        break;
    case SDL_WINDOWEVENT:
        on_window(app, &event->window);
        break;
    default:
        break;
    }
}
