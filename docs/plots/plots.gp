# The plots of docs/validation.md, from the files that plots.sh writes.
set terminal pngcairo size 720,440 font "DejaVu Sans,11" background "#ffffff"
set border 3 linecolor "#666666"
set tics nomirror
set grid linecolor "#dddddd"
set key left top reverse Left
blue = "#2f7de0"; green = "#1fa187"; orange = "#f0902c"; violet = "#8f5bd6"; black = "#222222"

set output "dam-break.png"
set xlabel "T = t (2g/a)^{1/2}"; set ylabel "front / a"
set xrange [0:3.5]; set yrange [1:4.7]
plot "dam-ddr.txt" w l lw 2 lc rgb violet t "ddr", "dam-sph.txt" w l lw 2 lc rgb blue t "sph", \
     "dam-pbf.txt" w l lw 2 lc rgb green t "pbf", "dam-flip.txt" w l lw 2 lc rgb orange t "flip, no-slip floor", \
     "dam-break-measured.txt" w p pt 7 ps 1.3 lc rgb black t "Martin and Moyce 1952"

set output "cavity.png"
set xlabel "u / lid speed"; set ylabel "y / side"
set xrange [-0.3:1]; set yrange [0:1]
set key right bottom noreverse Right
plot "cavity-64.txt" u 2:1 w l lw 2 lc rgb orange t "64 cells", "cavity-128.txt" u 2:1 w l lw 2 lc rgb blue t "128 cells", \
     "cavity-published.txt" u 2:1 w p pt 7 ps 1.1 lc rgb black t "Ghia, Ghia, Shin 1982"

set output "taylor-green.png"
set xlabel "time, s"; set ylabel "square of the rms speed, relative"
set xrange [0:3]; set yrange [0.04:1.05]; set logscale y
set key right top opaque
plot exp(1.0 / 60 - x) lw 5 lc rgb "#cccccc" t "exp(-4 {/Symbol n} t)", \
     "green.txt" every 6 w p pt 7 ps 0.7 lc rgb blue t "grid, 64 cells"

set output "drops.png"
unset logscale y
set xlabel "time, s"; set ylabel "ln(length / width)"
set xrange [0:10]; set yrange [-0.3:0.35]
period = 2 * pi / sqrt(6 * 0.01 / 0.3**3)
set arrow 1 from period, graph 0 to period, graph 1 nohead lc rgb "#aaaaaa" dt 2
set arrow 2 from 2 * period, graph 0 to 2 * period, graph 1 nohead lc rgb "#aaaaaa" dt 2
set label 1 "Rayleigh's period" at period + 0.1, graph 0.95 tc rgb "#888888"
plot 0 lc rgb "#cccccc" notitle, "length-ddr.txt" w l lw 2 lc rgb violet t "ddr", "length-sph.txt" w l lw 2 lc rgb blue t "sph", \
     "length-pbf.txt" w l lw 2 lc rgb green t "pbf"
