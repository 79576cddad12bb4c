#version 330 core
// A triangle strip along the outline of a rounded box. For a filled shape it extends to the middle; else it is
// as wide as the line and its glow, so that the fragments inside a ring are not shaded. With a negative radius it is a
// triangle: center, half_size and axis are its corners.
layout(location = 0) in vec2 center; // pixels from the top left
layout(location = 1) in vec2 half_size;
layout(location = 2) in vec2 axis;
layout(location = 3) in vec2 radius_stroke;
layout(location = 4) in vec3 glow_dash_light;
layout(location = 5) in vec4 colour;
uniform vec2 size; // of the picture
uniform vec4 area; // pixels: lower left corner and size of the part of the picture that is drawn
flat out vec2 origin;
flat out vec2 half_extent;
flat out vec2 radius_and_stroke;
flat out vec3 style;
flat out vec2 turn;
flat out vec4 tint;

const int steps = 24; // of a quarter circle, as in lines.c
const float quarter = 1.57079633;

void main() {
    int pair = (gl_VertexID >> 1) % (4 * (steps + 1));
    int corner = pair / (steps + 1);
    float angle = (float(corner) + float(pair % (steps + 1)) / float(steps)) * quarter;
    vec2 side = vec2(corner == 0 || corner == 3 ? 1.0 : -1.0, corner < 2 ? 1.0 : -1.0);
    float reach = radius_stroke.y + glow_dash_light.x + 1.0;
    float distance = (gl_VertexID & 1) == 0 ? (radius_stroke.x + reach) / cos(0.5 * quarter / float(steps))
                                            : max(radius_stroke.x - reach, 0.0);
    vec2 middle = half_size * side;
    if ((gl_VertexID & 1) == 1) {
        // The inner edge: by the reach inside the outline, or the middle of a filled shape.
        middle = radius_stroke.y > 0.0 ? max(half_size - max(reach - radius_stroke.x, 0.0), 0.0) * side : vec2(0.0);
        if (radius_stroke.y == 0.0) distance = 0.0;
    }
    vec2 place = middle + vec2(cos(angle), sin(angle)) * distance;
    origin = center;
    half_extent = half_size;
    radius_and_stroke = radius_stroke;
    style = glow_dash_light;
    turn = axis;
    tint = colour;
    vec2 pixel = center + vec2(place.x * axis.x - place.y * axis.y, place.x * axis.y + place.y * axis.x);
    if (radius_stroke.x < 0.0) pixel = gl_VertexID == 0 ? center : gl_VertexID == 1 ? half_size : axis;
    gl_Position = vec4((vec2(pixel.x, size.y - pixel.y) - area.xy) * 2.0 / area.zw - 1.0, 0.0, 1.0);
}
