/* Pictures in the clipboard of X11: the selection CLIPBOARD (Inter-Client Communication Conventions Manual, section 2),
 * with a connection and a window of its own, so that SDL sees no event of it. */
#include "app/device/clipboard_system.h"

#include "core/timer.h"
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/xcb.h>

typedef enum atom { CLIPBOARD, TARGETS, INCR, PROPERTY, PNG, JPEG, ATOMS } atom;
static const char *const atom_names[ATOMS] = {"CLIPBOARD",      "TARGETS",   "INCR",
                                              "PUDDLE_PICTURE", "image/png", "image/jpeg"};

struct pd_x11_clipboard {
    xcb_connection_t *connection;
    xcb_window_t window; /* owns the selection, and receives properties */
    xcb_atom_t atoms[ATOMS];
    pd_own_picture *own;
};

static bool find_atoms(pd_x11_clipboard *x11) {
    xcb_intern_atom_cookie_t cookies[ATOMS];
    for (int i = 0; i < ATOMS; i++)
        cookies[i] = xcb_intern_atom(x11->connection, 0, (uint16_t)strlen(atom_names[i]), atom_names[i]);
    for (int i = 0; i < ATOMS; i++) {
        xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(x11->connection, cookies[i], NULL);
        x11->atoms[i] = reply ? reply->atom : XCB_NONE;
        free(reply);
    }
    return x11->atoms[ATOMS - 1] != XCB_NONE;
}

pd_x11_clipboard *pd_x11_clipboard_open(pd_own_picture *own) {
    pd_x11_clipboard *x11 = calloc(1, sizeof *x11);
    if (!x11) return NULL;
    x11->own = own;
    x11->connection = xcb_connect(NULL, NULL);
    xcb_screen_iterator_t screens = {0};
    if (!xcb_connection_has_error(x11->connection)) screens = xcb_setup_roots_iterator(xcb_get_setup(x11->connection));
    if (screens.rem == 0 || !find_atoms(x11)) {
        xcb_disconnect(x11->connection);
        free(x11);
        return NULL;
    }
    uint32_t events = XCB_EVENT_MASK_PROPERTY_CHANGE;
    x11->window = xcb_generate_id(x11->connection);
    xcb_create_window(x11->connection, XCB_COPY_FROM_PARENT, x11->window, screens.data->root, 0, 0, 1, 1, 0,
                      XCB_WINDOW_CLASS_INPUT_ONLY, XCB_COPY_FROM_PARENT, XCB_CW_EVENT_MASK, &events);
    xcb_flush(x11->connection);
    return x11;
}

void pd_x11_clipboard_close(pd_x11_clipboard *x11) {
    xcb_disconnect(x11->connection);
    free(x11);
}

/* Returns whether the picture fits into one request, as the answer needs. */
static bool fits_request(const pd_x11_clipboard *x11) {
    size_t most = 4 * (size_t)xcb_get_maximum_request_length(x11->connection);
    return x11->own->size + 256 < most;
}

/* Answers a program that asks for the types of the picture or for its bytes. */
static void answer_request(pd_x11_clipboard *x11, const xcb_selection_request_event_t *request) {
    xcb_atom_t property = request->property != XCB_NONE ? request->property : request->target;
    xcb_atom_t targets[] = {x11->atoms[TARGETS], x11->atoms[PNG]};
    if (!x11->own->bytes) {
        property = XCB_NONE;
    } else if (request->target == x11->atoms[TARGETS]) {
        xcb_change_property(x11->connection, XCB_PROP_MODE_REPLACE, request->requestor, property, XCB_ATOM_ATOM, 32, 2,
                            targets);
    } else if (request->target == x11->atoms[PNG]) {
        xcb_change_property(x11->connection, XCB_PROP_MODE_REPLACE, request->requestor, property, x11->atoms[PNG], 8,
                            (uint32_t)x11->own->size, x11->own->bytes);
    } else {
        property = XCB_NONE;
    }
    /* xcb_send_event sends 32 bytes */
    union {
        xcb_selection_notify_event_t notify;
        char bytes[32];
    } answer = {.notify = {.response_type = XCB_SELECTION_NOTIFY,
                           .time = request->time,
                           .requestor = request->requestor,
                           .selection = request->selection,
                           .target = request->target,
                           .property = property}};
    xcb_send_event(x11->connection, 0, request->requestor, XCB_EVENT_MASK_NO_EVENT, answer.bytes);
    xcb_flush(x11->connection);
}

/* Handles an event that concerns the window's own picture. */
static void handle_event(pd_x11_clipboard *x11, const xcb_generic_event_t *event) {
    int type = event->response_type & 0x7f;
    if (type == XCB_SELECTION_REQUEST) answer_request(x11, (const xcb_selection_request_event_t *)event);
    if (type == XCB_SELECTION_CLEAR) pd_own_picture_free(x11->own);
}

void pd_x11_clipboard_poll(pd_x11_clipboard *x11) {
    for (xcb_generic_event_t *event; (event = xcb_poll_for_event(x11->connection)); free(event))
        handle_event(x11, event);
}

bool pd_x11_clipboard_offer(pd_x11_clipboard *x11) {
    if (!fits_request(x11)) return false;
    pd_own_picture picture = *x11->own;
    *x11->own = (pd_own_picture){0}; /* an earlier XCB_SELECTION_CLEAR does not concern this picture */
    pd_x11_clipboard_poll(x11);
    *x11->own = picture;
    xcb_set_selection_owner(x11->connection, x11->window, x11->atoms[CLIPBOARD], XCB_CURRENT_TIME);
    xcb_get_selection_owner_cookie_t cookie = xcb_get_selection_owner(x11->connection, x11->atoms[CLIPBOARD]);
    xcb_get_selection_owner_reply_t *reply = xcb_get_selection_owner_reply(x11->connection, cookie, NULL);
    bool owns = reply && reply->owner == x11->window;
    free(reply);
    return owns;
}

/* Waits for an event of a type. Other events are handled. NULL: none came in time. */
static xcb_generic_event_t *await_event(pd_x11_clipboard *x11, int type, double until) {
    struct pollfd file = {.fd = xcb_get_file_descriptor(x11->connection), .events = POLLIN};
    xcb_flush(x11->connection);
    while (!xcb_connection_has_error(x11->connection)) {
        xcb_generic_event_t *event = xcb_poll_for_event(x11->connection);
        double left = until - pd_system_now();
        if (event && (event->response_type & 0x7f) == type) return event;
        if (event) handle_event(x11, event);
        free(event);
        if (left <= 0) return NULL;
        if (!event) poll(&file, 1, (int)ceil(1e3 * left));
    }
    return NULL;
}

/* Gets the window's property and deletes it, which asks for the next part. */
static xcb_get_property_reply_t *take_property(pd_x11_clipboard *x11) {
    xcb_get_property_cookie_t cookie = xcb_get_property(x11->connection, 1, x11->window, x11->atoms[PROPERTY],
                                                        XCB_GET_PROPERTY_TYPE_ANY, 0, UINT32_MAX / 4);
    return xcb_get_property_reply(x11->connection, cookie, NULL);
}

/* Asks the owner of the selection for a form of its content. NULL: there is none, or no answer. */
static xcb_get_property_reply_t *convert(pd_x11_clipboard *x11, atom target, double until) {
    xcb_delete_property(x11->connection, x11->window, x11->atoms[PROPERTY]);
    xcb_convert_selection(x11->connection, x11->window, x11->atoms[CLIPBOARD], x11->atoms[target], x11->atoms[PROPERTY],
                          XCB_CURRENT_TIME);
    for (;;) {
        xcb_generic_event_t *event = await_event(x11, XCB_SELECTION_NOTIFY, until);
        if (!event) return NULL;
        const xcb_selection_notify_event_t *notify = (const xcb_selection_notify_event_t *)event;
        bool of_target = notify->target == x11->atoms[target], given = notify->property != XCB_NONE;
        free(event);
        if (of_target) return given ? take_property(x11) : NULL;
    }
}

/* Returns the best type of picture in the clipboard. ATOMS: there is none. */
static atom find_type(pd_x11_clipboard *x11, double until) {
    xcb_get_property_reply_t *reply = convert(x11, TARGETS, until);
    atom found = ATOMS;
    const xcb_atom_t *targets = reply ? xcb_get_property_value(reply) : NULL;
    int count = reply && reply->format == 32 ? xcb_get_property_value_length(reply) / 4 : 0;
    for (int i = 0; i < count; i++)
        for (atom type = PNG; type <= JPEG; type++)
            if (targets[i] == x11->atoms[type] && type < found) found = type;
    free(reply);
    return found;
}

/* Receives the parts of a large picture. An empty part is the end. */
static bool receive_parts(pd_x11_clipboard *x11, double until, pd_received *received) {
    for (;;) {
        xcb_generic_event_t *event = await_event(x11, XCB_PROPERTY_NOTIFY, until);
        if (!event) return false;
        bool part = ((const xcb_property_notify_event_t *)event)->state == XCB_PROPERTY_NEW_VALUE;
        free(event);
        if (!part) continue;
        xcb_get_property_reply_t *reply = take_property(x11);
        int length = reply ? xcb_get_property_value_length(reply) : 0;
        if (length > 0) pd_received_add(received, xcb_get_property_value(reply), (size_t)length);
        free(reply);
        if (length <= 0 || received->failed) return !received->failed;
    }
}

bool pd_x11_clipboard_receive(pd_x11_clipboard *x11, double until, pd_received *received) {
    atom type = find_type(x11, until);
    xcb_get_property_reply_t *reply = type < ATOMS ? convert(x11, type, until) : NULL;
    if (!reply) return false;
    bool parts = reply->type == x11->atoms[INCR];
    if (!parts) pd_received_add(received, xcb_get_property_value(reply), (size_t)xcb_get_property_value_length(reply));
    free(reply);
    return parts ? receive_parts(x11, until, received) : true;
}
