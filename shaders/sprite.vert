#version 330 core
// One quad for each particle.
layout(location = 0) in vec2 position; // m
layout(location = 2) in vec4 colour;
uniform mat4 matrix;  // metres to clip space
uniform float radius; // m
uniform float pixel;  // m
out vec2 corner;      // 1: the disc's edge
flat out vec3 tint;

void main() {
    float grown = 1.0 + pixel / radius; // room for the smooth edge
    corner = (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0) * grown;
    tint = colour.rgb;
    gl_Position = matrix * vec4(position + corner * radius, 0.0, 1.0);
}
