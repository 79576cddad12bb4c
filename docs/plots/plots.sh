#!/bin/sh
# Draws the plots of docs/validation.md: runs puddle, measures its output and compares it with published figures.
# Usage: docs/plots/plots.sh [PUDDLE]. Needs python3 and gnuplot (Debian: gnuplot-nox). Takes about a minute.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
puddle=$(realpath "${1:-$here/../../build/release/puddle}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$here"/*.txt .
measure() { python3 "$here/measure.py" "$@"; }

echo "dam break"
cp "$here/../../assets/scenes/martin-moyce.yaml" dam.yaml
sed 's/method: sph/method: flip/; s/height: 1.5/height: 1.5, slip: false/' dam.yaml >dam-flip.yaml
for method in ddr sph pbf; do
    "$puddle" run dam.yaml --method $method --steps 33 --state $method.csv --state-every 1 --quiet
    measure front $method >dam-$method.txt
done
"$puddle" run dam-flip.yaml --steps 33 --state flip.csv --state-every 1 --quiet
measure front flip >dam-flip.txt
"$puddle" run dam.yaml --method flip --steps 33 --state free.csv --state-every 1 --quiet
measure front free >dam-flip-without-friction.txt
for method in ddr sph pbf flip flip-without-friction; do measure compare dam-break-measured.txt dam-$method.txt; done

echo "cavity"
for cells in 64 128; do
    "$puddle" run cavity --set grid.resolution=$cells --seconds 25 --state cavity.csv --quiet
    measure profile cavity.csv >cavity-$cells.txt
    measure compare cavity-published.txt cavity-$cells.txt
done

echo "Taylor-Green vortex"
measure vortex 64 >green-cells.csv
cat >green.yaml <<'END'
puddle: 1
method: grid
gravity: [0, 0]
particles: 10
container: {shape: box, width: 3.14159265, height: 3.14159265}
cells: {size: 0.0490873852, file: green-cells.csv}
parameters: {grid: {resolution: 64, viscosity: 0.25, buoyancy: 0}}
END
"$puddle" run green.yaml --seconds 3 --stats green.csv --quiet
awk -F, 'NR == 2 { first = $10 } NR > 1 { print $2, ($10 / first) ^ 2 }' green.csv >green.txt

echo "drops"
for method in ddr sph pbf; do
    case $method in ddr) viscosity=linear_viscosity ;; sph) viscosity=viscosity ;; pbf) viscosity=xsph ;; esac
    cat >drop.yaml <<END
puddle: 1
method: $method
gravity: [0, 0]
particles: 1500
container: {shape: circle, radius: 1}
regions: [{shape: ellipse, center: [0, 0], size: [0.6841, 0.5262]}]
parameters: {$method: {surface_tension: 0.01, $viscosity: 0}}
END
    "$puddle" run drop.yaml --seconds 10 --state drop-$method.csv --state-every 6 --quiet
    measure length drop-$method >length-$method.txt
done

echo "depth of a pool at rest, over its depth at the start"
cat >basin.yaml <<'END'
puddle: 1
gravity: [0, -1.6]
particles: 4000
container: {shape: box, width: 2, height: 1.5}
regions: [{shape: box, center: [0, -0.5], size: [2, 0.5]}]
END
for method in ddr sph pbf flip; do
    "$puddle" run basin.yaml --method $method --seconds 20 --stats basin.csv --quiet
    awk -F, -v method=$method 'NR > 1001 { sum += $9; n++ } END { print method, 2 * (sum / n + 0.75) / 0.5 }' basin.csv
done

gnuplot "$here/plots.gp"
mv ./*.png "$here/"
