/* Pictures in the clipboard of Wayland: the selection of wl_data_device, on SDL's connection with a queue of its own.
 * SDL reads the connection; events of the queue are dispatched in polls. */
#include "app/device/clipboard_system.h"

#include "core/timer.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wayland-client.h>

struct pd_wayland_clipboard {
    struct wl_display *display; /* SDL's */
    struct wl_event_queue *queue;
    struct wl_registry *registry;
    struct wl_seat *seat;
    struct wl_keyboard *keyboard; /* for serial */
    struct wl_data_device_manager *manager;
    struct wl_data_device *device;
    struct wl_data_source *source;  /* of the own picture */
    struct wl_data_offer *offer;    /* what the clipboard has; NULL: nothing */
    struct wl_data_offer *arriving; /* an offer whose types are being listed */
    int type, arriving_type;        /* best type of picture of both offers; PD_PICTURE_TYPES: none */
    uint32_t serial;                /* of the last key: proves that a person copies */
    pd_own_picture *own;
};

/* ---- Serials of keys ---- */

static void on_keymap(void *data, struct wl_keyboard *keyboard, uint32_t format, int32_t file, uint32_t size) {
    (void)data, (void)keyboard, (void)format, (void)size;
    close(file);
}

static void on_enter(void *data, struct wl_keyboard *keyboard, uint32_t serial, struct wl_surface *surface,
                     struct wl_array *keys) {
    pd_wayland_clipboard *wayland = data;
    (void)keyboard, (void)surface, (void)keys;
    wayland->serial = serial;
}

static void on_leave(void *data, struct wl_keyboard *keyboard, uint32_t serial, struct wl_surface *surface) {
    (void)data, (void)keyboard, (void)serial, (void)surface;
}

static void on_key(void *data, struct wl_keyboard *keyboard, uint32_t serial, uint32_t time, uint32_t key,
                   uint32_t state) {
    pd_wayland_clipboard *wayland = data;
    (void)keyboard, (void)time, (void)key, (void)state;
    wayland->serial = serial;
}

static void on_modifiers(void *data, struct wl_keyboard *keyboard, uint32_t serial, uint32_t depressed,
                         uint32_t latched, uint32_t locked, uint32_t group) {
    (void)data, (void)keyboard, (void)serial, (void)depressed, (void)latched, (void)locked, (void)group;
}

static const struct wl_keyboard_listener keyboard_listener = {
    .keymap = on_keymap, .enter = on_enter, .leave = on_leave, .key = on_key, .modifiers = on_modifiers};

static void on_capabilities(void *data, struct wl_seat *seat, uint32_t capabilities) {
    pd_wayland_clipboard *wayland = data;
    if (wayland->keyboard || !(capabilities & WL_SEAT_CAPABILITY_KEYBOARD)) return;
    wayland->keyboard = wl_seat_get_keyboard(seat);
    wl_keyboard_add_listener(wayland->keyboard, &keyboard_listener, wayland);
}

static const struct wl_seat_listener seat_listener = {.capabilities = on_capabilities};

/* ---- What the clipboard has ---- */

static void on_offered_type(void *data, struct wl_data_offer *offer, const char *name) {
    pd_wayland_clipboard *wayland = data;
    if (offer != wayland->arriving) return;
    for (int i = 0; i < wayland->arriving_type; i++)
        if (strcmp(name, pd_picture_types[i]) == 0) wayland->arriving_type = i;
}

static const struct wl_data_offer_listener offer_listener = {.offer = on_offered_type};

/* A new offer, of the clipboard or of a drag. SDL handles drags. */
static void on_offer(void *data, struct wl_data_device *device, struct wl_data_offer *offer) {
    pd_wayland_clipboard *wayland = data;
    (void)device;
    if (wayland->arriving) wl_data_offer_destroy(wayland->arriving);
    wayland->arriving = offer;
    wayland->arriving_type = PD_PICTURE_TYPES;
    wl_data_offer_add_listener(offer, &offer_listener, wayland);
}

static void on_selection(void *data, struct wl_data_device *device, struct wl_data_offer *offer) {
    pd_wayland_clipboard *wayland = data;
    (void)device;
    if (wayland->offer) wl_data_offer_destroy(wayland->offer);
    wayland->offer = offer;
    wayland->type = offer ? wayland->arriving_type : PD_PICTURE_TYPES;
    if (offer == wayland->arriving) wayland->arriving = NULL;
}

static void on_drag_enter(void *data, struct wl_data_device *device, uint32_t serial, struct wl_surface *surface,
                          wl_fixed_t x, wl_fixed_t y, struct wl_data_offer *offer) {
    (void)data, (void)device, (void)serial, (void)surface, (void)x, (void)y, (void)offer;
}

static void on_drag_leave(void *data, struct wl_data_device *device) { (void)data, (void)device; }

static void on_drag_motion(void *data, struct wl_data_device *device, uint32_t time, wl_fixed_t x, wl_fixed_t y) {
    (void)data, (void)device, (void)time, (void)x, (void)y;
}

static const struct wl_data_device_listener device_listener = {.data_offer = on_offer,
                                                               .enter = on_drag_enter,
                                                               .leave = on_drag_leave,
                                                               .motion = on_drag_motion,
                                                               .drop = on_drag_leave,
                                                               .selection = on_selection};

/* ---- The own picture ---- */

/* A copy of the picture for a program that reads slowly. */
typedef struct delivery {
    int file;
    size_t size;
    uint8_t bytes[];
} delivery;

static void *write_delivery(void *data) {
    delivery *delivery = data;
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipes, NULL); /* the reader may end early */
    size_t written = 0;
    while (written < delivery->size) {
        ssize_t count = write(delivery->file, delivery->bytes + written, delivery->size - written);
        if (count < 0 && errno != EINTR) break;
        if (count > 0) written += (size_t)count;
    }
    close(delivery->file);
    free(delivery);
    return NULL;
}

static void on_send(void *data, struct wl_data_source *source, const char *type, int32_t file) {
    pd_wayland_clipboard *wayland = data;
    const pd_own_picture *own = wayland->own;
    pthread_t thread;
    bool asked = source == wayland->source && own->bytes && strcmp(type, pd_picture_types[0]) == 0;
    delivery *delivery = asked ? malloc(sizeof *delivery + own->size) : NULL;
    if (delivery) {
        delivery->file = file;
        delivery->size = own->size;
        memcpy(delivery->bytes, own->bytes, own->size);
        if (pthread_create(&thread, NULL, write_delivery, delivery) == 0) {
            pthread_detach(thread);
            return;
        }
    }
    free(delivery);
    close(file);
}

static void on_cancelled(void *data, struct wl_data_source *source) {
    pd_wayland_clipboard *wayland = data;
    wl_data_source_destroy(source);
    if (source != wayland->source) return;
    wayland->source = NULL;
    pd_own_picture_free(wayland->own);
}

static void on_target(void *data, struct wl_data_source *source, const char *type) {
    (void)data, (void)source, (void)type;
}

static const struct wl_data_source_listener source_listener = {
    .target = on_target, .send = on_send, .cancelled = on_cancelled};

bool pd_wayland_clipboard_offer(pd_wayland_clipboard *wayland) {
    pd_own_picture picture = *wayland->own;
    *wayland->own = (pd_own_picture){0};
    if (wayland->source) wl_data_source_destroy(wayland->source);
    wayland->source = NULL;
    wl_display_dispatch_queue_pending(wayland->display, wayland->queue);
    *wayland->own = picture;
    wayland->source = wl_data_device_manager_create_data_source(wayland->manager);
    if (!wayland->source) return false;
    wl_data_source_add_listener(wayland->source, &source_listener, wayland);
    wl_data_source_offer(wayland->source, pd_picture_types[0]);
    wl_data_device_set_selection(wayland->device, wayland->source, wayland->serial);
    return wl_display_flush(wayland->display) >= 0;
}

/* ---- Life ---- */

/* Binds version 1 of the interfaces: later versions add only drags and repetition of keys. */
static void on_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                      uint32_t version) {
    pd_wayland_clipboard *wayland = data;
    (void)version;
    if (!wayland->manager && strcmp(interface, wl_data_device_manager_interface.name) == 0)
        wayland->manager = wl_registry_bind(registry, name, &wl_data_device_manager_interface, 1);
    if (!wayland->seat && strcmp(interface, wl_seat_interface.name) == 0) {
        wayland->seat = wl_registry_bind(registry, name, &wl_seat_interface, 1);
        wl_seat_add_listener(wayland->seat, &seat_listener, wayland);
    }
}

static void on_global_remove(void *data, struct wl_registry *registry, uint32_t name) {
    (void)data, (void)registry, (void)name;
}

static const struct wl_registry_listener registry_listener = {.global = on_global, .global_remove = on_global_remove};

pd_wayland_clipboard *pd_wayland_clipboard_open(struct wl_display *display, pd_own_picture *own) {
    pd_wayland_clipboard *wayland = calloc(1, sizeof *wayland);
    if (!wayland) return NULL;
    *wayland = (pd_wayland_clipboard){.display = display, .own = own, .type = PD_PICTURE_TYPES};
    wayland->queue = wl_display_create_queue(display);
    struct wl_display *wrapper = wayland->queue ? wl_proxy_create_wrapper(display) : NULL;
    if (wrapper) {
        wl_proxy_set_queue((struct wl_proxy *)wrapper, wayland->queue);
        wayland->registry = wl_display_get_registry(wrapper);
        wl_proxy_wrapper_destroy(wrapper);
        wl_registry_add_listener(wayland->registry, &registry_listener, wayland);
        wl_display_roundtrip_queue(display, wayland->queue);
    }
    if (wayland->manager && wayland->seat) {
        wayland->device = wl_data_device_manager_get_data_device(wayland->manager, wayland->seat);
        wl_data_device_add_listener(wayland->device, &device_listener, wayland);
        wl_display_roundtrip_queue(display, wayland->queue); /* the seat has a keyboard */
        return wayland;
    }
    pd_wayland_clipboard_close(wayland);
    return NULL;
}

void pd_wayland_clipboard_close(pd_wayland_clipboard *wayland) {
    if (wayland->source) wl_data_source_destroy(wayland->source);
    if (wayland->offer) wl_data_offer_destroy(wayland->offer);
    if (wayland->arriving) wl_data_offer_destroy(wayland->arriving);
    if (wayland->device) wl_data_device_destroy(wayland->device);
    if (wayland->keyboard) wl_keyboard_destroy(wayland->keyboard);
    if (wayland->seat) wl_seat_destroy(wayland->seat);
    if (wayland->manager) wl_data_device_manager_destroy(wayland->manager);
    if (wayland->registry) wl_registry_destroy(wayland->registry);
    if (wayland->queue) wl_event_queue_destroy(wayland->queue);
    free(wayland);
}

void pd_wayland_clipboard_poll(pd_wayland_clipboard *wayland) {
    wl_display_dispatch_queue_pending(wayland->display, wayland->queue);
}

/* Reads the bytes that another program writes to a pipe. */
static bool read_pipe(int file, double until, pd_received *received) {
    uint8_t part[1 << 16];
    for (;;) {
        struct pollfd ready = {.fd = file, .events = POLLIN};
        double left = until - pd_system_now();
        if (left <= 0 || poll(&ready, 1, (int)ceil(1e3 * left)) <= 0) return false;
        ssize_t count = read(file, part, sizeof part);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count == 0;
        pd_received_add(received, part, (size_t)count);
        if (received->failed) return false;
    }
}

bool pd_wayland_clipboard_receive(pd_wayland_clipboard *wayland, double until, pd_received *received) {
    int ends[2];
    wl_display_roundtrip_queue(wayland->display, wayland->queue);
    if (!wayland->offer || wayland->type == PD_PICTURE_TYPES || pipe(ends) != 0) return false;
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    wl_data_offer_receive(wayland->offer, pd_picture_types[wayland->type], ends[1]);
    close(ends[1]);
    wl_display_flush(wayland->display);
    bool whole = read_pipe(ends[0], until, received);
    close(ends[0]);
    return whole;
}
