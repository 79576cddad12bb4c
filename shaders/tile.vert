#version 330 core
// Square tiles of the picture, only those that are not empty.
layout(location = 0) in vec2 tile;
uniform float side;   // pixels
uniform vec4 covered; // pixels: lower left corner and size of what the field covers
uniform vec4 area;    // pixels: lower left corner and size of the part of the picture that is drawn

void main() {
    vec2 at = (tile + vec2(gl_VertexID & 1, gl_VertexID >> 1)) * side + covered.xy;
    gl_Position = vec4((at - area.xy) * 2.0 / area.zw - 1.0, 0.0, 1.0);
}
