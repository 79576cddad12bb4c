#version 330 core
// One direction of a Gaussian blur, two texels at a time through the bilinear filter.
in vec2 uv;
uniform sampler2D source;
uniform vec2 along; // one texel in the blur's direction
out vec4 result;

void main() {
    vec4 sum = texture(source, uv) * 0.1633;
    sum += (texture(source, uv + along * 1.4) + texture(source, uv - along * 1.4)) * 0.2616;
    sum += (texture(source, uv + along * 3.3) + texture(source, uv - along * 3.3)) * 0.1260;
    sum += (texture(source, uv + along * 5.2) + texture(source, uv - along * 5.2)) * 0.0308;
    result = sum;
}
