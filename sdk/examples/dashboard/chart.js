/** Bars by hand: a chart of this size needs no library. */

const SVG = "http://www.w3.org/2000/svg";
const HEIGHT = 100;
const STEP = 10;
const BAR = 7;

/**
 * Draws stacked bars, one for each { done, failed }, into an <svg>.
 *
 * @returns what a bar of full height stands for
 */
export function drawChart(svg, minutes) {
  // A single request shouldn't fill the chart.
  const most = Math.max(4, ...minutes.map(({ done, failed }) => done + failed));
  const bars = minutes.flatMap(({ done, failed }, index) => {
    const x = index * STEP + (STEP - BAR) / 2;
    const doneHeight = done / most * HEIGHT;
    const failedHeight = failed / most * HEIGHT;
    return [
      bar("track", x, 0, HEIGHT),
      bar("done", x, HEIGHT - doneHeight, doneHeight),
      bar("failed", x, HEIGHT - doneHeight - failedHeight, failedHeight),
    ];
  });
  svg.setAttribute("viewBox", `0 0 ${minutes.length * STEP} ${HEIGHT}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-label", summaryOf(minutes));
  svg.replaceChildren(...bars.filter((rect) => rect !== null));
  return most;
}

function bar(name, x, y, height) {
  if (height === 0) return null;
  const rect = document.createElementNS(SVG, "rect");
  const values = { class: name, x, y, width: BAR, height };
  for (const [key, value] of Object.entries(values)) rect.setAttribute(key, value);
  return rect;
}

/** The chart in words, for those who don't see it. */
function summaryOf(minutes) {
  const sum = (key) => minutes.reduce((total, minute) => total + minute[key], 0);
  return `In the last ${minutes.length} minutes: ${sum("done")} done, ${sum("failed")} failed`;
}
