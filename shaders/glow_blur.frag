#version 330 core
// One direction of a Gaussian blur, two texels at a time through the bilinear filter.
in vec2 uv;
uniform sampler2D source;
uniform vec2 along; // one texel in the blur's direction
// PD_SURFACE_CONSTANTS of surface_field.h
uniform float BLUR_WEIGHT_0, BLUR_OFFSET_1, BLUR_WEIGHT_1, BLUR_OFFSET_2, BLUR_WEIGHT_2, BLUR_OFFSET_3, BLUR_WEIGHT_3;
out vec4 result;

void main() {
    vec4 sum = texture(source, uv) * BLUR_WEIGHT_0;
    sum += (texture(source, uv + along * BLUR_OFFSET_1) + texture(source, uv - along * BLUR_OFFSET_1)) * BLUR_WEIGHT_1;
    sum += (texture(source, uv + along * BLUR_OFFSET_2) + texture(source, uv - along * BLUR_OFFSET_2)) * BLUR_WEIGHT_2;
    sum += (texture(source, uv + along * BLUR_OFFSET_3) + texture(source, uv - along * BLUR_OFFSET_3)) * BLUR_WEIGHT_3;
    result = sum;
}
