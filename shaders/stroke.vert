#version 330 core
// A stroke of varying width, as a strip of triangles that is wider by its halo. A vertex also has the two before it: those of
// the triangle that it completes, from which the fragments interpolate.
layout(location = 0) in vec2 pixel;  // from the top left
layout(location = 1) in vec4 stroke; // across: pixels from the middle; half width: pixels; opacity; phase
layout(location = 2) in vec2 last_pixel;
layout(location = 3) in vec4 last_stroke;
layout(location = 4) in vec2 first_pixel;
layout(location = 5) in vec4 first_stroke;
uniform vec2 size; // of the picture
uniform vec4 area; // pixels: lower left corner and size of the part of the picture that is drawn
flat out vec2 corner[3];
flat out vec4 value[3];

void main() {
    corner = vec2[3](first_pixel, last_pixel, pixel);
    value = vec4[3](first_stroke, last_stroke, stroke);
    gl_Position = vec4((vec2(pixel.x, size.y - pixel.y) - area.xy) * 2.0 / area.zw - 1.0, 0.0, 1.0);
}
