/** The page: keys and taps, the loop, pauses and the best score. The rules are in world.js. */
import { Picture } from "./draw.js";
import { newWorld, STEP, step, turn } from "./world.js";

// Apps share an origin, and so its storage: the path keeps them apart.
const BEST = `best of ${location.pathname}`;

/** A longer gap between two pictures is a hiccup: the game waits for the player then. */
const LONGEST = 0.1;

/** Keys pressed in the heat of the game don't start the next one. */
const BREATH_MS = 700;

const TURNS = new Set([" ", "Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);

const at = (id) => document.getElementById(id);
const picture = new Picture(at("canvas"));
let world = newWorld();
let best = readBest();
let playing = false;
let before = 0;
let owed = 0;
let shown = 0;

function frame(now) {
  if (!playing) return;
  const elapsed = Math.min(LONGEST, (now - before) / 1000);
  before = now;
  owed += elapsed;
  while (owed >= STEP) {
    owed -= STEP;
    tell(step(world));
  }
  picture.draw(world, elapsed);
  requestAnimationFrame(frame);
}

function tell(happened) {
  if (happened === null) return;
  picture.burst(world, happened === "caught" ? "star" : "rock");
  if (happened === "caught") picture.gain(world, world.score - shown);
  showFigures();
  if (happened === "over") end();
}

function play() {
  if (world.over) world = newWorld();
  playing = true;
  owed = 0;
  before = performance.now();
  at("overlay").hidden = true;
  at("pause").disabled = false;
  showFigures();
  requestAnimationFrame(frame);
}

function pause() {
  if (!playing) return;
  stop("Paused", `${world.score} so far. Take your time.`, "Go on");
  at("play").focus();
}

function end() {
  const { score } = world;
  const isRecord = score > best;
  if (isRecord) keepBest(score);
  showFigures();
  stop(isRecord ? "A new best!" : "That was it", `You caught ${score}.`, "Play again");
  at("play").disabled = true;
  setTimeout(() => {
    at("play").disabled = false;
    at("play").focus();
  }, BREATH_MS);
  // To let the agent know: Holon.request("score", { score });
}

function stop(title, text, button) {
  playing = false;
  at("title").textContent = title;
  at("text").textContent = text;
  at("play").textContent = button;
  at("overlay").hidden = false;
  at("pause").disabled = true;
}

function showFigures() {
  shown = world.score;
  at("score").textContent = shown;
  at("best").textContent = Math.max(best, world.score);
  at("shields").textContent = world.shields;
}

function readBest() {
  try {
    return Number(localStorage.getItem(BEST)) || 0;
  } catch {
    return 0;
  }
}

function keepBest(score) {
  best = score;
  try {
    localStorage.setItem(BEST, String(score));
  } catch {
    // Storage is full or forbidden: the best score lasts as long as the page.
  }
}

addEventListener("keydown", (event) => {
  if (!playing || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "p" || event.key === "P" || event.key === "Escape") return pause();
  // The pause button keeps its keys, and a key that is held down turns once.
  if (!TURNS.has(event.key) || event.target === at("pause")) return;
  event.preventDefault();
  if (!event.repeat) turn(world);
});

at("canvas").addEventListener("pointerdown", (event) => {
  event.preventDefault();
  if (playing) turn(world);
});
at("play").addEventListener("click", play);
at("pause").addEventListener("click", pause);

// Nobody plays a game that they don't see.
document.addEventListener("visibilitychange", () => document.hidden && pause());
addEventListener("blur", pause);

new ResizeObserver(() => {
  picture.fit();
  picture.draw(world, 0);
}).observe(at("canvas"));

showFigures();
at("play").focus();
