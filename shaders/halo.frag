#version 330 core
// The fluid's glow on the background, in tiles without fluid; in tiles with fluid surface.frag adds it.
uniform sampler2D glow;
uniform vec2 origin;    // m: lower left corner of the picture
uniform float pixel;    // m
uniform vec3 container; // half width, half height, radius: m
uniform float border;   // pixels: width of the field beyond the wall
uniform vec4 area;      // pixels: lower left corner and size of the part of the picture that is drawn
uniform vec4 covered;   // pixels: lower left corner and size of what the field covers
out vec4 result;

void main() {
    vec2 at = gl_FragCoord.xy + area.xy, uv = (at - covered.xy) / covered.zw, world = origin + at * pixel;
    vec2 beyond = abs(world) - container.xy;
    float wall = (container.z - length(max(beyond, 0.0)) - min(max(beyond.x, beyond.y), 0.0)) / pixel;
    // Beyond the wall the light is weaker and ends within the field's border.
    float strength = wall > 0.0 ? 0.22 : 0.13 * max(1.0 + wall / border, 0.0);
    result = vec4(texture(glow, uv).rgb * strength, 0.0);
}
