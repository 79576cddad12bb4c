#version 330 core
// The kernel (1 - q^2)^3, added to the field.
in vec2 corner;
flat in vec4 amount;
out vec4 result;

void main() {
    float inside = max(1.0 - dot(corner, corner), 0.0);
    result = amount * (inside * inside * inside);
}
