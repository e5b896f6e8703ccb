/**
 * The rules. Nothing in here knows of the page, of frames or of the clock: `step()` moves the world by
 * a fixed time, so that the game is the same on every machine, and can be tested without one.
 *
 * Lengths: the orbit has radius 1. Angles: radians. Times: seconds.
 */

/** How far one `step()` goes. */
export const STEP = 1 / 120;

/** Play with these. */
export const RULES = {
  shields: 3,
  /** Angle per second at the start, for each point, and at most. */
  speed: 1.5,
  speedUp: 0.012,
  speedMost: 3.2,
  /** Seconds between rocks at the start, less for each point, and at least. */
  rockEvery: 1.9,
  rockFaster: 0.02,
  rockLeast: 0.6,
  rockSpeed: 0.6,
  /** A star is worth this much at first; a point less for each second. */
  starWorth: 5,
  /** After a hit nothing harms for so long. */
  safe: 1.6,
};

export const SHIP = 0.07;
export const STAR = 0.075;
export const ROCK = 0.085;
export const PLANET = 0.42;
/** Rocks come from beyond the edge of what is seen. */
const AWAY = 2.3;

/** @param random gives numbers from 0 to 1 */
export function newWorld(random = Math.random) {
  const world = {
    random,
    score: 0,
    shields: RULES.shields,
    ship: { angle: -Math.PI / 2, direction: 1 },
    star: null,
    rocks: [],
    /** Seconds until the next rock; the first ones leave time to look around. */
    rockIn: 2,
    safe: 0,
    over: false,
  };
  world.star = newStar(world);
  return world;
}

/** The one thing that a player can do. */
export function turn(world) {
  world.ship.direction *= -1;
}

/** Angle per second of the ship now. */
export function speedOf({ score }) {
  return Math.min(RULES.speedMost, RULES.speed + score * RULES.speedUp);
}

/** Points for the star, if it is caught now. */
export function worthOf(star) {
  return Math.max(1, Math.ceil(RULES.starWorth - star.age));
}

/**
 * Moves the world by {@linkcode STEP}.
 *
 * @returns what happened: "caught", "hit", "over", or null
 */
export function step(world) {
  if (world.over) return null;
  const { ship, star } = world;
  ship.angle += ship.direction * speedOf(world) * STEP;
  star.age += STEP;
  world.safe = Math.max(0, world.safe - STEP);
  world.rockIn -= STEP;
  if (world.rockIn <= 0) {
    world.rocks.push(newRock(world));
    world.rockIn = Math.max(RULES.rockLeast, RULES.rockEvery - world.score * RULES.rockFaster);
  }
  for (const rock of world.rocks) rock.radius -= rock.speed * STEP;
  world.rocks = world.rocks.filter(({ radius }) => radius > PLANET);
  return hit(world) ?? caught(world);
}

function hit(world) {
  if (world.safe > 0) return null;
  const rock = world.rocks.find((rock) => distance(rock, world.ship) < SHIP + ROCK);
  if (rock === undefined) return null;
  world.rocks.splice(world.rocks.indexOf(rock), 1);
  world.safe = RULES.safe;
  world.shields--;
  world.over = world.shields === 0;
  return world.over ? "over" : "hit";
}

function caught(world) {
  if (distance(world.star, world.ship) > SHIP + STAR) return null;
  world.score += worthOf(world.star);
  world.star = newStar(world);
  return "caught";
}

/** Somewhere on the orbit, but not under the ship. */
function newStar({ random, ship }) {
  return { angle: ship.angle + 1 + random() * (2 * Math.PI - 2), age: 0 };
}

/** Flies straight at the planet, and crosses the orbit near where the ship would be by then. */
function newRock(world) {
  const { random, ship, score } = world;
  const speed = RULES.rockSpeed * (1 + random() * 0.5 + score * 0.004);
  const meets = ship.angle + ship.direction * speedOf(world) * (AWAY - 1) / speed;
  return { angle: meets + (random() - 0.5) * 1.6, radius: AWAY, speed };
}

/** Between two things; what has no radius of its own is on the orbit. */
function distance({ angle: a, radius: r = 1 }, { angle: b, radius: s = 1 }) {
  return Math.hypot(r * Math.cos(a) - s * Math.cos(b), r * Math.sin(a) - s * Math.sin(b));
}
