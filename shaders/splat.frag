#version 330 core
// A compact, smooth kernel, added into the field.
in vec2 corner;
flat in vec4 amount;
out vec4 result;

void main() {
    float inside = max(1.0 - dot(corner, corner), 0.0);
    result = amount * (inside * inside * inside);
}
