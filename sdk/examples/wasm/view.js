/** What part of the plane is seen, and how mouse, fingers and keys move it. */

const HOME = { x: -0.65, y: 0, width: 3.4 };

/** Below this, neighbouring points are the same number. */
const CLOSEST = 1e-12;
const FARTHEST = 8;

const KEYS = {
  ArrowLeft: [-0.1, 0],
  ArrowRight: [0.1, 0],
  ArrowUp: [0, -0.1],
  ArrowDown: [0, 0.1],
};

export class View {
  x = HOME.x;
  y = HOME.y;
  /** Of the plane, over the whole canvas. */
  width = HOME.width;
  #canvas;
  #onChange;

  /** @param onChange called when another part is seen */
  constructor(canvas, onChange) {
    this.#canvas = canvas;
    this.#onChange = onChange;
    canvas.addEventListener("dblclick", (event) => this.zoom(0.5, event));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(1.0015 ** event.deltaY, event);
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => this.#onKey(event));
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) this.#pan(event.movementX, event.movementY);
    });
  }

  /** The length in the plane of one CSS pixel. */
  get step() {
    return this.width / this.#canvas.clientWidth;
  }

  home() {
    Object.assign(this, HOME);
    this.#onChange();
  }

  /** Goes closer (below 1) or farther; what is at the place stays there. */
  zoom(factor, { offsetX, offsetY } = this.#middle()) {
    const width = Math.min(FARTHEST, Math.max(CLOSEST, this.width * factor));
    const { offsetX: middleX, offsetY: middleY } = this.#middle();
    const kept = this.step * (1 - width / this.width);
    this.x += (offsetX - middleX) * kept;
    this.y += (offsetY - middleY) * kept;
    this.width = width;
    this.#onChange();
  }

  #middle() {
    const { clientWidth, clientHeight } = this.#canvas;
    return { offsetX: clientWidth / 2, offsetY: clientHeight / 2 };
  }

  /** Moves by CSS pixels. */
  #pan(right, down) {
    this.x -= right * this.step;
    this.y -= down * this.step;
    this.#onChange();
  }

  #onKey(event) {
    const move = KEYS[event.key];
    if (move !== undefined) {
      this.x += move[0] * this.width;
      this.y += move[1] * this.width;
      this.#onChange();
    } else if (event.key === "+" || event.key === "=") this.zoom(0.7);
    else if (event.key === "-") this.zoom(1 / 0.7);
    else if (event.key === "0") this.home();
    else return;
    event.preventDefault();
  }
}
