#version 330 core
// Square tiles of the picture, only those that are not empty.
layout(location = 0) in vec2 tile;
uniform vec3 tiles;  // pixels: side, origin x, origin y
uniform vec2 bounds; // pixels: the picture
uniform vec2 area;   // pixels: size of the field, from the origin
out vec2 uv;         // in the field

void main() {
    vec2 offset = (tile + vec2(gl_VertexID & 1, gl_VertexID >> 1)) * tiles.x;
    uv = offset / area;
    gl_Position = vec4((offset + tiles.yz) * 2.0 / bounds - 1.0, 0.0, 1.0);
}
