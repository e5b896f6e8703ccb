/** Draws a world on a canvas, in the colours of style.css. */
import { PLANET, ROCK, RULES, SHIP, STAR, worthOf } from "./world.js";

/** What is seen reaches this far from the planet's middle. */
const VIEW = 1.35;

const SPARKS = 14;

/** Far stars, over the whole picture: place by place from 0 to 1, and how bright. */
const SKY = Array.from({ length: 90 }, () => [Math.random(), Math.random(), Math.random()]);

export class Picture {
  #canvas;
  #context;
  #colors = {};
  #sparks = [];
  /** Points that were won, as they rise and fade. */
  #gains = [];
  #trail = [];
  #calm = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.#readColors();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#readColors());
  }

  /** One canvas pixel for each pixel of the screen. */
  fit() {
    const { clientWidth, clientHeight } = this.#canvas;
    this.#canvas.width = Math.round(clientWidth * devicePixelRatio);
    this.#canvas.height = Math.round(clientHeight * devicePixelRatio);
  }

  /** Lets sparks fly from the ship; not for those who want less motion. */
  burst(world, color) {
    if (this.#calm.matches) return;
    for (let index = 0; index < SPARKS; index++) {
      const angle = Math.random() * 2 * Math.PI;
      const speed = 0.2 + Math.random() * 0.5;
      this.#sparks.push({
        x: Math.cos(world.ship.angle),
        y: Math.sin(world.ship.angle),
        dx: Math.cos(angle) * speed,
        dy: Math.sin(angle) * speed,
        left: 0.7,
        color,
      });
    }
  }

  /** Shows points that were won where the ship is. */
  gain({ ship: { angle } }, points) {
    this.#gains.push({ angle, text: `+${points}`, left: 0.9 });
  }

  /** @param elapsed seconds since the last picture */
  draw(world, elapsed) {
    const { width, height } = this.#canvas;
    const scale = Math.min(width, height) / 2 / VIEW;
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, width, height);
    this.#drawSky(width, height);
    context.setTransform(scale, 0, 0, scale, width / 2, height / 2);
    this.#drawPlanet();
    this.#drawRocks(world.rocks);
    this.#drawStar(world.star);
    this.#drawTrail(world.ship);
    this.#drawShip(world);
    this.#drawSparks(elapsed);
    this.#drawGains(elapsed);
  }

  #readColors() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["planet", "light", "orbit", "ship", "star", "rock"]) {
      this.#colors[name] = style.getPropertyValue(`--${name}`);
    }
  }

  #drawSky(width, height) {
    for (const [x, y, light] of SKY) {
      this.#context.globalAlpha = 0.15 + 0.5 * light;
      this.#disc(x * width, y * height, 0.6 + light * devicePixelRatio, this.#colors.orbit);
    }
    this.#context.globalAlpha = 1;
  }

  #drawPlanet() {
    const context = this.#context;
    const light = context.createRadialGradient(-0.16, -0.18, 0.05, 0, 0, PLANET);
    light.addColorStop(0, this.#colors.light);
    light.addColorStop(1, this.#colors.planet);
    this.#disc(0, 0, PLANET, light);
    context.strokeStyle = this.#colors.orbit;
    context.lineWidth = 0.012;
    context.beginPath();
    context.arc(0, 0, 1, 0, 2 * Math.PI);
    context.stroke();
  }

  #drawRocks(rocks) {
    const context = this.#context;
    for (const { angle, radius } of rocks) {
      const [x, y] = [Math.cos(angle), Math.sin(angle)];
      if (radius > 1) {
        // Where it will cross, the clearer the nearer it is.
        context.globalAlpha = Math.max(0.15, 1 - (radius - 1) / 1.3);
        context.strokeStyle = this.#colors.rock;
        context.lineWidth = 0.03;
        context.beginPath();
        context.arc(0, 0, 1, angle - ROCK, angle + ROCK);
        context.stroke();
        context.globalAlpha = 1;
      }
      // Rocks have corners: colour alone doesn't tell them from stars.
      this.#polygon(x * radius, y * radius, 6, ROCK, ROCK * 0.8, angle * 7, this.#colors.rock);
    }
  }

  #drawStar(star) {
    const [x, y] = [Math.cos(star.angle), Math.sin(star.angle)];
    const worth = worthOf(star) / RULES.starWorth;
    this.#polygon(x, y, 10, STAR * 1.25, STAR * 0.6, -Math.PI / 2, this.#colors.star);
    const context = this.#context;
    context.strokeStyle = this.#colors.star;
    context.lineWidth = 0.014;
    context.beginPath();
    context.arc(x, y, STAR * 1.9, -Math.PI / 2, -Math.PI / 2 + worth * 2 * Math.PI);
    context.stroke();
  }

  #drawTrail({ angle }) {
    if (this.#calm.matches) return;
    this.#trail.push(angle);
    if (this.#trail.length > 16) this.#trail.shift();
    this.#trail.forEach((past, index) => {
      this.#context.globalAlpha = index / this.#trail.length * 0.4;
      this.#disc(Math.cos(past), Math.sin(past), SHIP * index / 16, this.#colors.ship);
    });
    this.#context.globalAlpha = 1;
  }

  #drawShip({ ship: { angle, direction }, safe, shields }) {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const context = this.#context;
    const heading = angle + direction * Math.PI / 2;
    context.fillStyle = this.#colors.ship;
    context.beginPath();
    for (const [turn, length] of [[0, 1.3], [2.4, 1], [Math.PI, 0.4], [-2.4, 1]]) {
      const reach = SHIP * length;
      context.lineTo(x + Math.cos(heading + turn) * reach, y + Math.sin(heading + turn) * reach);
    }
    context.fill();
    if (safe === 0 || shields === 0) return;
    context.strokeStyle = this.#colors.ship;
    context.lineWidth = 0.012;
    context.globalAlpha = Math.min(1, safe);
    context.beginPath();
    context.arc(x, y, SHIP * 1.9, 0, 2 * Math.PI);
    context.stroke();
    context.globalAlpha = 1;
  }

  #drawSparks(elapsed) {
    for (const spark of this.#sparks) {
      spark.x += spark.dx * elapsed;
      spark.y += spark.dy * elapsed;
      spark.left -= elapsed;
      this.#context.globalAlpha = Math.max(0, spark.left / 0.7);
      this.#disc(spark.x, spark.y, 0.018, this.#colors[spark.color]);
    }
    this.#context.globalAlpha = 1;
    this.#sparks = this.#sparks.filter(({ left }) => left > 0);
  }

  #drawGains(elapsed) {
    const context = this.#context;
    context.fillStyle = this.#colors.star;
    context.font = "700 0.14px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const gain of this.#gains) {
      gain.left -= elapsed;
      // Inwards, where it is never cut off.
      const radius = this.#calm.matches ? 0.78 : 0.7 + 0.15 * gain.left;
      context.globalAlpha = Math.max(0, Math.min(1, gain.left * 2));
      context.fillText(gain.text, Math.cos(gain.angle) * radius, Math.sin(gain.angle) * radius);
    }
    context.globalAlpha = 1;
    this.#gains = this.#gains.filter(({ left }) => left > 0);
  }

  #disc(x, y, radius, color) {
    const context = this.#context;
    context.fillStyle = color;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }

  /** A shape whose corners lie on two circles by turns. */
  #polygon(x, y, corners, outer, inner, angle, color) {
    const context = this.#context;
    context.fillStyle = color;
    context.beginPath();
    for (let index = 0; index < corners; index++) {
      const radius = index % 2 === 0 ? outer : inner;
      const at = angle + index / corners * 2 * Math.PI;
      context.lineTo(x + Math.cos(at) * radius, y + Math.sin(at) * radius);
    }
    context.fill();
  }
}
