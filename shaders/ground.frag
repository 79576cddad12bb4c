#version 330 core
// The dark background: a little lighter inside the container, darker towards the corners of the picture.
uniform vec2 middle;     // m: what the picture shows in its middle
uniform vec2 origin;     // m: lower left corner of the picture
uniform float pixel;     // m
uniform vec4 area;       // pixels: lower left corner and size of the part of the picture that is drawn
uniform vec3 container;  // half width, half height, radius: m
uniform float extent;    // m: half of what the picture shows
out vec4 result;

void main() {
    vec2 at = gl_FragCoord.xy + area.xy, world = origin + at * pixel;
    vec2 beyond = abs(world) - container.xy;
    float wall = container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0);
    float inside = clamp(wall / pixel + 0.5, 0.0, 1.0);
    vec2 lit = (world - middle - vec2(-0.10, 0.22) * extent) / extent;
    float fall = dot(lit, lit);
    vec3 deep = vec3(0.036, 0.046, 0.076), calm = vec3(0.052, 0.066, 0.108), bright = vec3(0.088, 0.112, 0.180);
    vec3 colour = mix(deep, calm, exp(-0.55 * fall));
    colour = mix(colour, mix(calm, bright, exp(-1.1 * fall)), inside);
    // Ordered dithering by up to half a step of 8 bits hides the bands that this slow gradient would show. A regular
    // pattern compresses better than noise in recorded frames.
    ivec2 p = ivec2(at), q = p ^ p.yx;
    int rank = (q.x & 1) << 5 | (p.y & 1) << 4 | (q.x & 2) << 2 | (p.y & 2) << 1 | (q.x & 4) >> 1 | (p.y & 4) >> 2;
    result = vec4(colour + ((float(rank) + 0.5) / 64.0 - 0.5) / 255.0, 1.0);
}
