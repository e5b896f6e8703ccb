// The inner loop is in escape.wasm, written by hand: escape.wat is its source.
const canvas = document.getElementById("canvas");
const status = document.getElementById("status");
const context = canvas.getContext("2d");
const limit = 160;
const view = { x: -0.6, y: 0, width: 3.2 };

const { instance } = await WebAssembly.instantiateStreaming(fetch("escape.wasm"));
const { escape } = instance.exports;

function draw() {
  const { width, height } = canvas;
  const image = context.createImageData(width, height);
  const step = view.width / width;
  const left = view.x - view.width / 2;
  const top = view.y - step * height / 2;
  const start = performance.now();
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at += 4) {
      const rounds = escape(left + column * step, top + row * step, limit);
      const light = rounds === limit ? 0 : Math.sqrt(rounds / limit);
      image.data[at] = 13 + 190 * light * light;
      image.data[at + 1] = 19 + 230 * light;
      image.data[at + 2] = 18 + 190 * light;
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
  const taken = (performance.now() - start).toFixed(0);
  status.textContent = `${width} × ${height} points in ${taken} ms`;
}

function zoom(factor) {
  view.width = Math.min(4, Math.max(1e-12, view.width * factor));
  draw();
}

canvas.addEventListener("click", (event) => {
  const step = view.width / canvas.clientWidth;
  view.x += (event.offsetX - canvas.clientWidth / 2) * step;
  view.y += (event.offsetY - canvas.clientHeight / 2) * step;
  zoom(0.5);
});
document.getElementById("in").addEventListener("click", () => zoom(0.5));
document.getElementById("out").addEventListener("click", () => zoom(2));
draw();
