/* Handlers of SDL's events: keys, mouse, window and dropped files. */
#include "app/loop.h"
#include "app/session/session.h"
#include "app/tables/keys.h"
#include <math.h>
#include <SDL.h>
#include <string.h>

/* Velocity of a thrown obstacle = velocity of the pointer / max(simulated time / wall time, SLOWEST_TIME). */
static const double SLOWEST_TIME = 0.25;
static const float TURN = 15;    /* change of an obstacle's angle per notch of the wheel, degrees */
static const float SPIN = 30;    /* change of an obstacle's spin per notch of the wheel, degrees/s */
static const float BOX_TURN = 5; /* change of a drawn box's angle per notch of the wheel, degrees */

static void perform_action_of_key(pd_app *app, int code, int modifiers, bool repeated) {
    int argument = 0;
    const pd_key *key = pd_key_find(code, modifiers, &argument);
    if (!key || (repeated && !(key->flags & PD_REPEATS))) return;
    if (key->action == PD_ACTION_REWIND)
        pd_backwards_press_key(&app->session); /* goes back when the key is released, or after it was held for 0.25 s */
    else if (key->action != PD_ACTION_SAVE || !pd_session_save_again(&app->session))
        pd_screen_request(&app->screen, key->action, argument);
}

/* Performs Escape: cancels the item that the user is drawing, or closes the highest open layer. False: there is neither. */
static bool cancel_draft_or_close_layer(pd_app *app) {
    ui_request_frame(app->device.ui); /* ImGui must know that the layer is closed before it handles the next press */
    if (app->device.pointer.press != PD_PRESS_DRAWS) return pd_layers_close_highest(&app->screen);
    pd_pointer_cancel_press(&app->device.pointer);
    app->session.draft.active = false;
    return true;
}

static void on_key_down(pd_app *app, const SDL_KeyboardEvent *event) {
    int modifiers, code = pd_keyboard_find_code(&event->keysym, &modifiers);
    bool repeats = event->repeat != 0, quits = code == 'q' && modifiers == PD_CONTROL;
    app->device.key_repeats = repeats;
    if (event->keysym.mod & (KMOD_LALT | KMOD_GUI)) return; /* keys with Alt or the Windows key belong to the desktop */
    if (code == PD_KEY_ESCAPE && (repeats || cancel_draft_or_close_layer(app))) return;
    if (code == PD_KEY_F10 || quits || !pd_layers_key(pd_app_update_screen(app), code, modifiers, repeats))
        perform_action_of_key(app, code, modifiers, repeats);
}

/* Reads the state of Shift and Ctrl from the event. SDL_GetModState would include later events that are still in the queue. */
static void update_modifiers(pd_app *app, const SDL_KeyboardEvent *event) {
    app->device.pointer.shift = (event->keysym.mod & KMOD_SHIFT) != 0;
    app->device.pointer.control = (event->keysym.mod & KMOD_CTRL) != 0;
}

/* Applies a turn of the wheel: turns or spins the grabbed obstacle, turns the drawn box, or changes the radius of the tool. */
static void apply_wheel_notches(pd_app *app, float notches) {
    pd_session *session = &app->session;
    pd_pointer *pointer = &app->device.pointer;
    pd_draft *draft = &session->draft;
    const pd_item *item = &session->grab.item;
    if (item->kind == PD_ITEM_OBSTACLE && pointer->held_tool == PD_TOOL_MOVE) {
        if (pointer->shift)
            pd_session_spin_obstacle(session, item->index, SPIN * notches);
        else
            pd_session_turn_obstacle(session, item->index, TURN * notches);
        return;
    }
    if (pointer->press == PD_PRESS_DRAWS && pd_bar_tool_row(draft->tool)->turns) {
        draft->angle = fmodf(draft->angle + BOX_TURN * notches, 180);
        if (draft->shape == PD_CHOICE_BOX)
            pd_announce_value(&app->viewport.announcer, "Box angle", (double)draft->angle, "°");
        return;
    }
    pointer->size = fminf(fmaxf(pointer->size * powf(1.1f, notches), 0.03f), 0.8f);
    draft->size = pd_pointer_tool_radius(pointer);
    const pd_bar_row *row = pd_bar_tool_row(app->session.tool);
    float radius = pd_pointer_tool_radius(&app->device.pointer), factor = row->size_factor > 0 ? row->size_factor : 1;
    pd_announce_value(&app->viewport.announcer, row->size_name ? row->size_name : "Tool size",
                      (double)(factor * radius), "m");
}

static void on_wheel(pd_app *app, const SDL_MouseWheelEvent *event) {
    /* With Shift some systems report a horizontal wheel motion, preciseX. */
    float notches = event->preciseY != 0 ? event->preciseY : event->preciseX;
    if (event->direction == SDL_MOUSEWHEEL_FLIPPED) notches = -notches;
    pd_screen *screen = pd_app_update_screen(app);
    if (pd_layers_wheel(screen, notches)) return;
    if (!pd_pointer_has_press(&app->device.pointer) && screen->at_pointer) return;
    if (notches != 0) apply_wheel_notches(app, notches);
}

static void on_window_event(pd_app *app, const SDL_WindowEvent *event) {
    pd_placement_update(&app->device.display.placement, app->device.display.window);
    switch (event->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
    case SDL_WINDOWEVENT_DISPLAY_CHANGED:
        pd_display_update_size(&app->device.display);
        ui_set_scale(app->device.ui, app->device.display.scale);
        pd_announce_window_size(&app->viewport.announcer, app->device.display.width, app->device.display.height);
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
        app->device.pointer.in_window = false;
        break;
    default:
        break;
    }
}

/* Returns whether a tool at the pointer does not reach into the container. Pour acts only inside. */
static bool is_out_of_reach(const pd_app *app, pd_tool_kind tool) {
    const pd_pointer *pointer = &app->device.pointer;
    float reach = tool == PD_TOOL_POUR ? 0 : pd_pointer_tool_radius(pointer);
    return pd_session_distance_outside(&app->session, pointer->position) > reach;
}

/* Announces that a press with a tool had no effect because the tool is outside the container. */
static void announce_out_of_reach(pd_app *app, pd_tool_kind tool) {
    pd_bar_tool row = tool == PD_TOOL_PUSH ? PD_BAR_PUSH : PD_BAR_PULL;
    if (tool == pd_session_tool_kind(&app->session)) row = app->session.tool;
    pd_announce(&app->viewport.announcer, "%s: outside the container (press inside)", pd_bar_tool_row(row)->name);
}

static void on_pointer_motion(pd_app *app, int x, int y) {
    pd_pointer *pointer = &app->device.pointer;
    float pixel_x = ((float)x + 0.5f) * app->device.display.ratio,
          pixel_y = ((float)y + 0.5f) * app->device.display.ratio;
    bool arrives = !pointer->in_window, moves = pixel_x != pointer->pixel_x || pixel_y != pointer->pixel_y;
    pointer->pixel_x = pixel_x;
    pointer->pixel_y = pixel_y;
    pointer->in_window = true;
    pd_app_update_screen(app);
    if (arrives || moves) pd_layers_pointer_moved(&app->screen, arrives);
    if (pointer->press != PD_PRESS_DRAWS && !pointer->out_of_reach) return;
    pd_app_update_pointer_position(app);
    pointer->out_of_reach = pointer->out_of_reach && is_out_of_reach(app, pointer->held_tool);
    pd_session_move_draft(&app->session, pointer->position, pointer->shift);
}

/* Finds and selects the body that a press drags. -1: none. item: the item at the pointer, if the tool moves or removes items. */
static int select_dragged_body(pd_app *app, pd_item item, float near) {
    pd_session *session = &app->session;
    int body = item.kind == PD_ITEM_BODY ? item.index : -1;
    if (!pd_bar_tool_row(session->tool)->moves_bodies) return -1;
    if (item.kind == PD_ITEM_NONE) body = pd_world_body_at(session->world, app->device.pointer.position, near);
    if (session->tool == PD_BAR_HAND && body < 0) return -1;
    bool other = body != pd_session_selected_body(session);
    pd_session_select_body(session, body);
    if (other && body >= 0 && session->tool != PD_BAR_HAND && !app->viewport.panel)
        pd_announce(&app->viewport.announcer, "Selected: %s (%s shows its values)",
                    *session->body.name ? session->body.name : "a body", pd_key_name_of_action(PD_ACTION_PANEL));
    return body;
}

/* Begins a press in the picture of the world. tool: tool of the button; PD_TOOL_NONE: the press begins to draw an item. */
static void begin_world_press(pd_app *app, int button, pd_tool_kind tool) {
    pd_pointer *pointer = &app->device.pointer;
    pd_session *session = &app->session;
    bool left = button == SDL_BUTTON_LEFT, items = left && tool == pd_session_tool_kind(session);
    pd_session_end_seek_and_rewind(session);
    pd_app_update_pointer_position(app);
    pd_session_end_grab(session);
    float near = pd_ghost_hit_distance(&app->screen);
    bool grabs = items && tool != PD_TOOL_NONE;
    pd_item item = grabs ? pd_session_begin_grab(session, pointer->position, near) : (pd_item){PD_ITEM_NONE, -1};
    int body = items ? select_dragged_body(app, item, near) : -1;
    if (body >= 0) {
        pd_pointer_begin_tool(pointer, PD_TOOL_MOVE, button, pd_world_scene(session->world)->obstacle_count + body);
        pointer->out_of_reach = false;
        return;
    }
    if (tool == PD_TOOL_NONE) {
        if (pd_session_begin_draft(session, pointer->position, pd_pointer_tool_radius(pointer), pointer->unit))
            pd_pointer_begin_draft(pointer, button);
        else
            announce_out_of_reach(app, tool);
        return;
    }
    bool outside = is_out_of_reach(app, tool) && item.kind == PD_ITEM_NONE;
    if (items && pd_bar_tool_row(session->tool)->needs_item && item.kind == PD_ITEM_NONE) {
        if (outside) announce_out_of_reach(app, tool);
        return;
    }
    int obstacle = item.kind == PD_ITEM_OBSTACLE ? item.index : -1;
    if (tool == PD_TOOL_DRAG) obstacle = pd_world_obstacle_at(session->world, pointer->position, near);
    pd_pointer_begin_tool(pointer, obstacle >= 0 ? PD_TOOL_MOVE : tool, button, obstacle);
    pointer->out_of_reach = outside && obstacle < 0;
}

/* Handles the press of a button. closes_menu: the press has closed a menu. Only an open dialog still receives it. */
static void on_button_press(pd_app *app, int button, bool closes_menu) {
    pd_pointer *pointer = &app->device.pointer;
    pd_screen *screen = pd_app_update_screen(app);
    bool only_closes = closes_menu && !pd_layers_any_modal(screen);
    bool used = only_closes || pd_layers_press(screen, button == SDL_BUTTON_LEFT) || pd_layers_find_at_pointer(screen);
    if (!pd_pointer_record_press(pointer, button, used)) return;
    pd_tool_kind kind = pd_pointer_tool_of_button(button, pointer->shift, pd_session_tool_kind(&app->session));
    if (kind == PD_TOOL_NONE && button != SDL_BUTTON_LEFT) return;
    begin_world_press(app, button, kind);
    app->viewport.opening.offered_until = 0;
    pd_hint_finish(&app->viewport, PD_HINT_DRAG);
    if (app->session.tool != PD_BAR_HAND) pd_hint_finish(&app->viewport, PD_HINT_TOOL);
    bool pulls =
        pointer->held_tool == PD_TOOL_MOVE && pointer->obstacle >= pd_world_scene(app->session.world)->obstacle_count;
    bool waits = pulls || (kind != PD_TOOL_NONE && kind != PD_TOOL_MOVE);
    if (app->session.paused && !app->viewport.hints.told_pause && waits)
        pd_announce(&app->viewport.announcer, "Paused: tools act when time runs (%s)",
                    pd_key_name_of_action(PD_ACTION_PAUSE));
    app->viewport.hints.told_pause = app->session.paused;
}

static pd_vec2 compute_throw_velocity(const pd_app *app) {
    double speed = fmax(pd_session_chosen_speed(&app->session) * pd_pace_speed_ratio(&app->session.pace), SLOWEST_TIME);
    pd_vec2 velocity = app->device.pointer.velocity;
    return (pd_vec2){(float)(velocity.x / speed), (float)(velocity.y / speed)};
}

/* Ends a press in the picture of the world: adds the drawn item to the scene, or with Shift throws the dragged obstacle. */
static void end_world_press(pd_app *app, int button) {
    pd_pointer *pointer = &app->device.pointer;
    pd_session *session = &app->session;
    if (button != pointer->button) return;
    if (pointer->out_of_reach) announce_out_of_reach(app, pointer->held_tool);
    pointer->out_of_reach = false;
    if (pointer->press == PD_PRESS_DRAWS) pd_session_end_draft(session);
    bool obstacle = session->grab.item.kind == PD_ITEM_OBSTACLE && pointer->held_tool == PD_TOOL_MOVE &&
                    pd_pointer_has_press(pointer);
    if (!obstacle || !pointer->shift) return;
    pd_session_throw_obstacle(session, session->grab.item.index, compute_throw_velocity(app));
    pd_pointer_cancel_press(pointer);
    pd_session_end_grab(session);
}

static void on_button_release(pd_app *app, int button) {
    if (button == SDL_BUTTON_LEFT) {
        pd_app_seek_to_pointer(app); /* before the release: press, motion and release may come within one frame */
        pd_seek_end_drag(&app->session);
    }
    end_world_press(app, button);
    pd_screen *screen = pd_app_update_screen(app);
    const pd_pane *pane = pd_screen_pane(screen);
    pd_pointer_record_release(&app->device.pointer, button, pane->view, &pane->camera);
    pd_layers_pointer_moved(screen, false);
}

/* Returns the row of a key event in the table of keys. NULL: there is no row, or the event is an automatic repetition or has
 * Alt or the Windows key. */
static const pd_key *find_key_row(const SDL_KeyboardEvent *event) {
    int argument, modifiers, code = pd_keyboard_find_code(&event->keysym, &modifiers);
    if (event->repeat || (event->keysym.mod & (KMOD_LALT | KMOD_GUI))) return NULL;
    return pd_key_find(code, modifiers, &argument);
}

bool pd_app_is_quitting(pd_app *app) {
    enum { MAX_EVENTS = 256 };
    SDL_Event events[MAX_EVENTS];
    if (app->options.interrupted && app->options.interrupted()) app->running = false;
    if (!app->running) return true;
    SDL_PumpEvents();
    int count = SDL_PeepEvents(events, MAX_EVENTS, SDL_PEEKEVENT, SDL_FIRSTEVENT, SDL_LASTEVENT);
    /* Escape quits, unless a layer or draft is open or an earlier event in the queue may open one: a press on the bars, or
     * one that draws. */
    bool drafts = app->device.pointer.press == PD_PRESS_DRAWS;
    bool draws = drafts || pd_session_tool_kind(&app->session) == PD_TOOL_NONE;
    bool keys_quit = !drafts && pd_layers_count_open(&app->screen) == 0 && !ui_is_typing(app->device.ui);
    for (int i = 0; i < count; i++) {
        if (events[i].type == SDL_QUIT) return true;
        if (events[i].type == SDL_MOUSEBUTTONDOWN && (app->viewport.bars || draws)) keys_quit = false;
        if (events[i].type != SDL_KEYDOWN) continue;
        const pd_key *key = find_key_row(&events[i].key);
        if (keys_quit && key && key->action == PD_ACTION_QUIT) return true;
        if (key && (key->flags & PD_OPENS)) keys_quit = false;
    }
    return false;
}

static bool is_code_in_list(int code, const int *codes) {
    while (*codes && *codes != code) codes++;
    return *codes != 0;
}

/* Returns whether a key is for the text field that has the keyboard focus, and not for its window. */
static bool is_key_for_text_field(const pd_app *app, const SDL_Keysym *key) {
    static const int of_window[] = {PD_KEY_ESCAPE,  PD_KEY_ENTER,     PD_KEY_UP,  PD_KEY_DOWN,
                                    PD_KEY_PAGE_UP, PD_KEY_PAGE_DOWN, PD_KEY_TAB, 0},
                     caret[] = {PD_KEY_LEFT, PD_KEY_RIGHT, PD_KEY_HOME, PD_KEY_END, 0},
                     editing[] = {'a', 'c', 'v', 'x', 'y', 'z', 0}; /* editing: keys with Ctrl */
    int modifiers, code = pd_keyboard_find_code(key, &modifiers);
    if (!ui_is_editing_text(app->device.ui)) return ui_is_typing(app->device.ui);
    if (is_code_in_list(code, caret)) return !ui_is_searching(app->device.ui);
    if (modifiers & PD_CONTROL && code >= 'a' && code <= 'z') return is_code_in_list(code, editing);
    return !is_code_in_list(code, of_window) && !(code >= PD_KEY_F1 && code < PD_KEY_F1 + 12);
}

void pd_app_handle_event(pd_app *app, const SDL_Event *event) {
    bool closes_menu = ui_process_event(app->device.ui, event);
    app->redraw = 3; /* ImGui may need two further frames until the layout of the panel is final */
    switch (event->type) {
    case SDL_QUIT:
        app->running = false;
        break;
    case SDL_KEYDOWN:
        update_modifiers(app, &event->key);
        if (!is_key_for_text_field(app, &event->key.keysym)) on_key_down(app, &event->key);
        break;
    case SDL_KEYUP: /* SDL also sends SDL_KEYUP for held keys when the window loses the keyboard focus */
        update_modifiers(app, &event->key);
        if (event->key.keysym.sym == SDLK_BACKSPACE) pd_backwards_release_key(&app->session);
        if (event->key.keysym.sym == SDLK_SPACE && pd_zoom_release_space(&app->viewport))
            pd_screen_request(&app->screen, PD_ACTION_PAUSE, 0);
        break;
    case SDL_MOUSEMOTION:
        on_pointer_motion(app, event->motion.x, event->motion.y);
        break;
    case SDL_MOUSEBUTTONDOWN:
        on_pointer_motion(app, event->button.x, event->button.y);
        on_button_press(app, event->button.button, closes_menu);
        break;
    case SDL_MOUSEBUTTONUP:
        on_pointer_motion(app, event->button.x, event->button.y);
        on_button_release(app, event->button.button);
        break;
    case SDL_MOUSEWHEEL:
        on_wheel(app, &event->wheel);
        break;
    case SDL_DROPFILE:
        pd_app_open_dropped_file(app, event->drop.file,
                                 app->session.tool == PD_BAR_BODY || (SDL_GetModState() & (KMOD_CTRL | KMOD_SHIFT)));
        SDL_free(event->drop.file);
        break;
    case SDL_WINDOWEVENT:
        on_window_event(app, &event->window);
        break;
    default:
        break;
    }
    pd_app_perform_request(app);
}

/* ---- Keys of the table by label or position ---- */

static const char table_signs[] = "-=+[].,<"; /* signs of the table that a key may have as label */

/* Returns the code of a key without a character on its label, such as an arrow. 0: none. */
static int find_named_code(SDL_Keycode label) {
    static const struct {
        SDL_Keycode label;
        int code;
    } named[] = {{SDLK_UP, PD_KEY_UP},
                 {SDLK_DOWN, PD_KEY_DOWN},
                 {SDLK_LEFT, PD_KEY_LEFT},
                 {SDLK_RIGHT, PD_KEY_RIGHT},
                 {SDLK_TAB, PD_KEY_TAB},
                 {SDLK_BACKSPACE, PD_KEY_BACKSPACE},
                 {SDLK_ESCAPE, PD_KEY_ESCAPE},
                 {SDLK_RETURN, PD_KEY_ENTER},
                 {SDLK_KP_ENTER, PD_KEY_ENTER},
                 {SDLK_PAGEUP, PD_KEY_PAGE_UP},
                 {SDLK_PAGEDOWN, PD_KEY_PAGE_DOWN},
                 {SDLK_HOME, PD_KEY_HOME},
                 {SDLK_END, PD_KEY_END},
                 {SDLK_SPACE, ' '},
                 {SDLK_KP_MINUS, '-'},
                 {SDLK_KP_PLUS, '+'},
                 {SDLK_KP_EQUALS, '='}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (named[i].label == label) return named[i].code;
    return label >= SDLK_F1 && label <= SDLK_F12 ? PD_KEY_F1 + (int)(label - SDLK_F1) : 0;
}

/* Returns the code of a key of the number pad that has a digit or the decimal point. 0: the key has no code. Num Lock selects
 * between the two labels of such a key. */
static int find_number_pad_code(SDL_Keycode label, bool num_lock) {
    static const int without_lock[9] = {PD_KEY_END,   PD_KEY_DOWN, PD_KEY_PAGE_DOWN, PD_KEY_LEFT,   0,
                                        PD_KEY_RIGHT, PD_KEY_HOME, PD_KEY_UP,        PD_KEY_PAGE_UP};
    if (label == SDLK_KP_PERIOD) return num_lock ? '.' : 0;
    int index = (int)(label - SDLK_KP_1);
    if (index < 0 || index >= 9) return 0;
    return num_lock ? '1' + index : without_lock[index];
}

static bool is_in_digit_row(SDL_Scancode place) { return place >= SDL_SCANCODE_1 && place <= SDL_SCANCODE_0; }

/* Returns whether a character is the label of a key outside the digit row. */
static bool is_a_label(int character) {
    for (int place = SDL_SCANCODE_A; place <= SDL_SCANCODE_INTERNATIONAL9; place++)
        if (!is_in_digit_row((SDL_Scancode)place) && SDL_GetKeyFromScancode((SDL_Scancode)place) == character)
            return true;
    return false;
}

static bool is_letter(SDL_Keycode label) { return label >= 'a' && label <= 'z'; }

static int find_letter(const SDL_Keysym *key) {
    static const SDL_Keycode DOTLESS_I = 0x131; /* in Turkish layouts the lower case of the label I */
    if (is_letter(key->sym)) return key->sym;
    if (key->sym == DOTLESS_I) return 'i';
    if (key->scancode < SDL_SCANCODE_A || key->scancode > SDL_SCANCODE_Z) return 0;
    int letter = 'a' + (int)(key->scancode - SDL_SCANCODE_A);
    return is_a_label(letter) ? 0 : letter;
}

typedef enum level { PLAIN, SHIFTED, ALTGR } level;

/* Returns the sign at a position. 0: none. Signs that are labels are not at these positions. */
static int find_sign_by_position(SDL_Scancode place, level level) {
    static const struct {
        SDL_Scancode place;
        enum level level;
        char sign;
    } positions[] = {
        /* a US keyboard */
        {SDL_SCANCODE_MINUS, PLAIN, '-'},
        {SDL_SCANCODE_EQUALS, PLAIN, '='},
        {SDL_SCANCODE_LEFTBRACKET, PLAIN, '['},
        {SDL_SCANCODE_RIGHTBRACKET, PLAIN, ']'},
        {SDL_SCANCODE_COMMA, PLAIN, ','},
        {SDL_SCANCODE_PERIOD, PLAIN, '.'},
        /* layouts of Europe */
        {SDL_SCANCODE_0, SHIFTED, '='},
        {SDL_SCANCODE_8, ALTGR, '['},
        {SDL_SCANCODE_9, ALTGR, ']'},
        {SDL_SCANCODE_LEFTBRACKET, ALTGR, '['},
        {SDL_SCANCODE_RIGHTBRACKET, ALTGR, ']'},
    };
    for (size_t i = 0; i < sizeof positions / sizeof *positions; i++)
        if (positions[i].place == place && positions[i].level == level && !is_a_label(positions[i].sign))
            return positions[i].sign;
    return 0;
}

/* Returns the sign of a key. Sets *shift to false if Shift selects the sign. */
static int find_sign(const SDL_Keysym *key, bool *shift) {
    int above = *shift ? find_sign_by_position(key->scancode, SHIFTED) : 0;
    bool is_label = key->sym > 0 && key->sym < 128 && strchr(table_signs, key->sym) != NULL;
    int sign = is_label ? key->sym : find_sign_by_position(key->scancode, PLAIN);
    if (*shift && key->sym == ';' && !is_a_label('.')) above = '.'; /* AZERTY */
    if (*shift && !above) above = sign == ',' ? '<' : sign == '.' || sign == '<' ? '>' : sign == '=' ? '+' : 0;
    if (above) *shift = false;
    return above ? above : sign;
}

int pd_keyboard_find_code(const SDL_Keysym *key, int *modifiers) {
    bool shift = (key->mod & KMOD_SHIFT) != 0, altgr = (key->mod & (KMOD_RALT | KMOD_MODE)) != 0;
    bool is_digit = is_in_digit_row(key->scancode) && key->scancode != SDL_SCANCODE_0;
    int code = find_named_code(key->sym);
    if (!code) code = find_number_pad_code(key->sym, (key->mod & KMOD_NUM) != 0);
    if (!code && altgr) {
        code = find_sign_by_position(key->scancode, ALTGR);
    } else if (!code && is_digit) {
        code = '1' + (int)(key->scancode - SDL_SCANCODE_1);
        shift = false;
    } else if (!code) {
        code = find_letter(key);
        if (!code) code = find_sign(key, &shift);
    }
    *modifiers = (key->mod & KMOD_CTRL ? PD_CONTROL : 0) | (shift ? PD_SHIFT : 0);
    return code;
}
