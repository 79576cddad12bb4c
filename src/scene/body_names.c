/* Names of bodies, and the bodies that joints name. */
#include "scene/body_names.h"

#include "scene/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char WORLD[] = "world";

int pd_scene_find_body(const pd_scene *scene, const char *name) {
    if (strcmp(name, WORLD) == 0) return PD_WORLD_NAMED;
    for (int i = 0; i < scene->body_count && *name; i++)
        if (strcmp(scene->bodies[i].name, name) == 0) return i;
    return PD_NO_BODY;
}

bool pd_scene_is_body_joined(const pd_scene *scene, const char *name) {
    for (int i = 0; i < scene->joint_count && *name; i++)
        for (int k = 0; k < 2; k++)
            if (strcmp(scene->joints[i].bodies[k], name) == 0) return true;
    return false;
}

/* Returns whether the middle of a body's bounding box, before its rotation, is outside the container. */
static bool is_outside(const pd_scene_body *body, const pd_container *container) {
    pd_vec2 at = body->area.center, low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (int i = 0; pd_area_has_points(&body->area) && i < body->area.point_count; i++) {
        pd_vec2 p = body->area.points[i];
        low = (pd_vec2){fminf(low.x, p.x), fminf(low.y, p.y)};
        high = (pd_vec2){fmaxf(high.x, p.x), fmaxf(high.y, p.y)};
    }
    if (pd_area_has_points(&body->area)) {
        pd_vec2 middle = pd_rotate((pd_vec2){(low.x + high.x) / 2, (low.y + high.y) / 2}, body->area.angle);
        at = (pd_vec2){at.x + middle.x, at.y + middle.y};
    }
    if (container->shape == PD_CONTAINER_CIRCLE)
        return at.x * at.x + at.y * at.y > container->radius * container->radius;
    return container->shape == PD_CONTAINER_BOX &&
           (fabsf(at.x) > container->width / 2 || fabsf(at.y) > container->height / 2);
}

static bool find_fault_of_body(const pd_scene *scene, int index, pd_body_fault *fault) {
    const pd_scene_body *body = &scene->bodies[index];
    int first = pd_scene_find_body(scene, body->name);
    *fault = (pd_body_fault){.list = PD_LIST_BODIES, .index = index, .key = "name"};
    if (first == PD_WORLD_NAMED)
        snprintf(fault->text, sizeof fault->text,
                 "a body is named 'world', which joints use for the world (choose another name)");
    else if (first != PD_NO_BODY && first != index)
        snprintf(fault->text, sizeof fault->text, "the body '%s' comes twice (rename one)", body->name);
    else if (is_outside(body, &scene->container)) {
        fault->key = pd_area_has_points(&body->area) ? "points" : "center";
        snprintf(fault->text, sizeof fault->text, "the body lies outside the container (move it inside)");
    }
    return *fault->text;
}

static bool find_fault_of_joint(const pd_scene *scene, int index, pd_body_fault *fault) {
    const pd_scene_joint *joint = &scene->joints[index];
    *fault = (pd_body_fault){.list = PD_LIST_JOINTS, .index = index, .key = "bodies"};
    for (int k = 0; k < 2 && !*fault->text; k++)
        if (pd_scene_find_body(scene, joint->bodies[k]) == PD_NO_BODY)
            snprintf(fault->text, sizeof fault->text, "no body is named '%s' (give a body this name, or use world)",
                     joint->bodies[k]);
    if (!*fault->text && strcmp(joint->bodies[0], joint->bodies[1]) == 0)
        snprintf(fault->text, sizeof fault->text, "'bodies' names '%s' twice (allowed: two bodies, or one and world)",
                 joint->bodies[0]);
    return *fault->text;
}

bool pd_scene_find_body_fault(const pd_scene *scene, int number, pd_body_fault *fault) {
    for (int bodies = scene->body_count; number < bodies + scene->joint_count; number++) {
        bool found = number < bodies ? find_fault_of_body(scene, number, fault)
                                     : find_fault_of_joint(scene, number - bodies, fault);
        fault->number = number;
        if (found) return true;
    }
    return false;
}
