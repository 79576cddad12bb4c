#version 330 core
// A rectangle of the target, given by its corners in clip space.
uniform vec4 rectangle; // low x, low y, high x, high y
out vec2 uv;

void main() {
    uv = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    gl_Position = vec4(mix(rectangle.xy, rectangle.zw, uv), 0.0, 1.0);
}
