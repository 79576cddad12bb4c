#version 330 core
// The vortices' mean circulation in the colours of the legend, as opaque as they cover the place. The root of the
// circulation is the place in the legend: those that the fluid's vorticity is spread over are much weaker than single ones.
uniform sampler2D sums;    // r: circulation times weight, g: weight, b: cover
uniform sampler2D colours; // from -1 to 1
uniform vec2 size;         // texels
uniform vec2 picture;      // pixels
uniform vec2 origin;       // m: lower left corner of the picture
uniform float pixel;       // m
uniform vec4 area;         // pixels: lower left corner and size of the part of the picture that is drawn
uniform vec3 container;    // half width, half height, radius: m
out vec4 result;

// Cubic B-spline filter in four bilinear reads, as in surface.frag.
vec3 smooth_sums(vec2 at) {
    vec2 place = at / picture * size - 0.5;
    vec2 f = fract(place), base = place - f;
    vec2 f2 = f * f, f3 = f2 * f;
    vec2 w0 = (1.0 - f) * (1.0 - f) * (1.0 - f) / 6.0, w1 = (4.0 - 6.0 * f2 + 3.0 * f3) / 6.0, w3 = f3 / 6.0;
    vec2 g0 = w0 + w1, g1 = 1.0 - g0;
    vec2 near = (base - 0.5 + w1 / g0) / size, far = (base + 1.5 + w3 / g1) / size;
    vec4 sum = g0.y * (g0.x * texture(sums, near) + g1.x * texture(sums, vec2(far.x, near.y))) +
               g1.y * (g0.x * texture(sums, vec2(near.x, far.y)) + g1.x * texture(sums, far));
    return sum.rgb;
}

void main() {
    vec2 at = gl_FragCoord.xy + area.xy, world = origin + at * pixel;
    vec2 beyond = abs(world) - container.xy;
    float wall = container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0);
    vec3 sum = smooth_sums(at);
    float mean = sum.r / max(sum.g, 1e-9), place = sign(mean) * sqrt(abs(mean));
    // Vortices without circulation are only hinted at: the middle of the map is like the background.
    float strength = mix(0.5, 1.0, smoothstep(0.0, 0.4, abs(place)));
    float cover = (1.0 - exp(-3.0 * sum.b)) * strength * clamp(wall / pixel + 0.5, 0.0, 1.0);
    // The middles of the first and the last texel of the map are its ends.
    vec3 colour = texture(colours, vec2((0.5 + 0.5 * place) * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
    // Half a step of an ordered pattern against bands, as in ground.frag.
    ivec2 p = ivec2(at), q = p ^ p.yx;
    int rank = (q.x & 1) << 5 | (p.y & 1) << 4 | (q.x & 2) << 2 | (p.y & 2) << 1 | (q.x & 4) >> 1 | (p.y & 4) >> 2;
    result = vec4((colour + ((float(rank) + 0.5) / 64.0 - 0.5) / 255.0) * cover, cover);
}
