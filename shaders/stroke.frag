#version 330 core
// A bright stroke with a dark halo, which sets it off from bright images; on white the halo alone is seen. Its pattern
// rises along the stroke to each whole number of the phase, so that it shows the direction, and moves where the phase
// does.
flat in vec2 corner[3]; // of the triangle: pixels from the top left
flat in vec4 value[3];  // there: across, half width, opacity, phase
uniform vec2 size;      // of the picture, pixels
uniform vec4 area;      // as in stroke.vert
uniform float halo;    // pixels around the stroke
uniform float scale;   // pixels per interface unit
uniform float pattern; // strength
uniform vec2 origin;    // m: lower left corner of the picture
uniform float pixel;    // m
uniform vec3 container; // half width, half height, radius of the corners: m
out vec4 result;

// Linear in the triangle. The hardware's own interpolation is rounded by where the part of the picture begins that is drawn.
vec4 interpolated() {
    vec2 at = gl_FragCoord.xy + area.xy, p = vec2(at.x, size.y - at.y) - corner[0];
    vec2 u = corner[1] - corner[0], v = corner[2] - corner[0];
    float whole = u.x * v.y - u.y * v.x;
    return value[0] + (p.x * v.y - p.y * v.x) / whole * (value[1] - value[0]) +
           (u.x * p.y - u.y * p.x) / whole * (value[2] - value[0]);
}

// 0 beyond the container's wall, where a stroke between two points beside a curved wall may lie; else 1.
float clip() {
    vec2 world = origin + (gl_FragCoord.xy + area.xy) * pixel, beyond = abs(world) - container.xy;
    float wall = container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0);
    return clamp(wall / pixel + 0.5, 0.0, 1.0);
}

void main() {
    vec4 along = interpolated();
    float distance = abs(along.x) - along.y;
    float cover = smoothstep(0.8, -0.8, distance) * min(1.0, 1.6 * along.y); // thinner than a pixel: fades
    float shade = clamp(1.0 - max(distance, 0.0) / halo, 0.0, 1.0);
    float per_pixel = fwidth(along.w);
    float wave = fract(along.w), edge = clamp((1.0 - wave) / max(5.0 * scale * per_pixel, 1e-6), 0.0, 1.0);
    float seen = pattern * clamp(1.6 - 24.0 * scale * per_pixel, 0.0, 1.0); // where it is too fine it fades
    float light = mix(1.0, 0.55 + 0.45 * wave * wave * edge, seen);
    float line = cover * along.z * light;
    result = vec4(vec3(0.94, 0.97, 1.0) * line, line + (1.0 - line) * 0.68 * shade * shade * min(1.0, 1.3 * along.z));
    result *= clip();
}
