#version 330 core
// The field at a quarter of its resolution, as colour times coverage, and coverage: the glow before its blur.
// Obstacles count as covered, like the fluid beyond a wall: fluid beside them is inside a body.
in vec2 uv;
uniform sampler2D field;
uniform sampler2D solids; // 1: obstacle, less: its surroundings
uniform vec2 texel; // of the field
uniform float threshold;
uniform float COVER_LOW, COVER_HIGH, SOLID_LOW, SOLID_HIGH; // PD_SURFACE_CONSTANTS of surface_field.h
out vec4 result;

vec4 covered(vec2 offset) {
    vec4 f = texture(field, uv + offset * texel);
    float cover = smoothstep(threshold * COVER_LOW, threshold * COVER_HIGH, f.a);
    float solid = smoothstep(SOLID_LOW, SOLID_HIGH, texture(solids, uv + offset * texel).r);
    return vec4(f.rgb / max(f.a, 1e-4) * cover, max(cover, solid));
}

void main() {
    result = 0.25 * (covered(vec2(-1, -1)) + covered(vec2(1, -1)) + covered(vec2(-1, 1)) + covered(vec2(1, 1)));
}
