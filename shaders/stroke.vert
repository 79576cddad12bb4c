#version 330 core
// A stroke of varying width, as a strip of triangles that is wider by its halo.
layout(location = 0) in vec2 pixel;  // from the top left
layout(location = 1) in vec4 stroke; // across: pixels from the middle; half width: pixels; opacity; phase
uniform vec2 size;                   // of the picture
out vec4 along;

void main() {
    along = stroke;
    gl_Position = vec4(pixel.x * 2.0 / size.x - 1.0, 1.0 - pixel.y * 2.0 / size.y, 0.0, 1.0);
}
