#version 330 core
// The field at a quarter of its resolution, as colour times coverage, and coverage: the glow before its blur.
// Obstacles count as covered, like the fluid beyond a wall: fluid beside them is inside a body.
in vec2 uv;
uniform sampler2D field;
uniform sampler2D solids; // 1: obstacle, less: its surroundings
uniform vec2 texel; // of the field
uniform float threshold;
out vec4 result;

vec4 covered(vec2 offset) {
    vec4 f = texture(field, uv + offset * texel);
    float cover = smoothstep(threshold * 0.6, threshold * 1.4, f.a);
    float solid = smoothstep(0.5, 1.0, texture(solids, uv + offset * texel).r);
    return vec4(f.rgb / max(f.a, 1e-4) * cover, max(cover, solid));
}

void main() {
    result = 0.25 * (covered(vec2(-1, -1)) + covered(vec2(1, -1)) + covered(vec2(-1, 1)) + covered(vec2(1, 1)));
}
