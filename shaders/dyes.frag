#version 330 core
// Dyes, mixed beforehand into a texture of colours that are multiplied by their opacity.
uniform sampler2D dyes;
uniform vec4 to_texture; // pixels to texture coordinates: scale along x and y, offset along x and y
uniform vec2 origin;     // m: lower left corner of the picture
uniform float pixel;     // m
uniform vec4 area;       // pixels: lower left corner and size of the part of the picture that is drawn
uniform vec3 container;  // half width, half height, radius: m
out vec4 result;

void main() {
    vec2 at = gl_FragCoord.xy + area.xy, world = origin + at * pixel;
    vec2 beyond = abs(world) - container.xy;
    float wall = container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0);
    vec4 dye = texture(dyes, at * to_texture.xy + to_texture.zw) * clamp(wall / pixel + 0.5, 0.0, 1.0);
    // Half a step of an ordered pattern against bands, as in ground.frag.
    ivec2 p = ivec2(at), q = p ^ p.yx;
    int rank = (q.x & 1) << 5 | (p.y & 1) << 4 | (q.x & 2) << 2 | (p.y & 2) << 1 | (q.x & 4) >> 1 | (p.y & 4) >> 2;
    result = vec4(dye.rgb + ((float(rank) + 0.5) / 64.0 - 0.5) / 255.0 * dye.a, dye.a);
}
