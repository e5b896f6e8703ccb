/**
 * Draws the Mandelbrot set. The inner loops are in escape.wasm, written by hand: escape.wat is its
 * source, and `wat2wasm escape.wat` (of WABT) makes it anew. A module from Rust or C is loaded the
 * same way.
 */
import { View } from "./view.js";

/** First in squares of so many pixels a side, then finer: something is seen at once. */
const SQUARES = [8, 1];

/** Red, green and blue, from far away to the set's edge. */
const PALETTE = [
  [11, 22, 24],
  [12, 36, 40],
  [10, 62, 62],
  [14, 112, 94],
  [99, 216, 184],
  [250, 240, 202],
  [231, 154, 60],
  [120, 40, 62],
  [11, 22, 24],
];

/** After so many ms the page gets its turn, so that it stays quick. */
const SLICE_MS = 12;

const canvas = document.getElementById("canvas");
const status = document.getElementById("status");
const context = canvas.getContext("2d", { alpha: false });
const { instance } = await WebAssembly.instantiateStreaming(fetch("escape.wasm"));
const { memory, row: countRow } = instance.exports;
/** Where `row()` leaves its counts: module and page share this memory. */
const counts = new Uint16Array(memory.buffer);
const view = new View(canvas, draw);
let latest = 0;

/** Draws what is seen; begun anew, it lets go of what was under way. */
async function draw() {
  const turn = ++latest;
  const { width, height } = canvas;
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  const step = view.width / width;
  const left = view.x - view.width / 2;
  const top = view.y - step * height / 2;
  const limit = limitOf(view);
  const colors = colorsOf(limit);
  const begun = performance.now();
  let rested = begun;
  for (const square of SQUARES) {
    for (let y = 0; y < height; y += square) {
      countRow(left, top + y * step, step * square, Math.ceil(width / square), limit);
      for (let x = 0; x < width; x++) {
        pixels[y * width + x] = colors[counts[Math.floor(x / square)]];
      }
      const below = Math.min(y + square, height);
      for (let same = y + 1; same < below; same++) {
        pixels.copyWithin(same * width, y * width, (y + 1) * width);
      }
      context.putImageData(image, 0, 0, 0, y, width, below - y);
      if (performance.now() - rested < SLICE_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (turn !== latest) return;
      rested = performance.now();
    }
  }
  const taken = (performance.now() - begun).toFixed(0);
  status.textContent = `${width} × ${height} points in ${taken} ms`;
}

/** The rounds that are counted at most: deeper down it takes more to tell points apart. */
function limitOf({ width }) {
  return Math.round(200 + 60 * Math.max(0, Math.log2(4 / width)));
}

/** A colour for each count, as a pixel is in memory: alpha, blue, green, red. */
function colorsOf(limit) {
  const colors = new Uint32Array(limit + 1);
  for (let rounds = 0; rounds < limit; rounds++) {
    // The nearer to the set, the less the next round changes; after the last colour it begins anew.
    const place = 1.1 * Math.log2(rounds + 1) % (PALETTE.length - 1);
    const index = Math.floor(place);
    const [red, green, blue] = PALETTE[index].map((from, channel) =>
      Math.round(from + (PALETTE[index + 1][channel] - from) * (place - index))
    );
    colors[rounds] = 0xff000000 | blue << 16 | green << 8 | red;
  }
  // Those that never get away.
  colors[limit] = 0xff100c0b;
  return colors;
}

document.getElementById("in").addEventListener("click", () => view.zoom(0.5));
document.getElementById("out").addEventListener("click", () => view.zoom(2));
document.getElementById("home").addEventListener("click", () => view.home());

/** One canvas pixel for each pixel of the screen; called at once, and when the size changes. */
new ResizeObserver(() => {
  canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
  draw();
}).observe(canvas);
