/**
 * HTTP dates (RFC 9110 §5.6.7): IMF-fixdate out; IMF-fixdate, RFC 850 and asctime in.
 *
 * @module
 */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTH = `(?<month>${MONTHS.join("|")})`;
const TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
const SHORT_DAY = `(?<weekday>${DAYS.map((day) => day.slice(0, 3)).join("|")})`;
const LONG_DAY = `(?<weekday>${DAYS.join("|")})`;

const IMF_FIXDATE = new RegExp(
  `^${SHORT_DAY}, (?<day>\\d\\d) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`,
);
const RFC_850 = new RegExp(`^${LONG_DAY}, (?<day>\\d\\d)-${MONTH}-(?<year>\\d\\d) ${TIME} GMT$`);
const ASCTIME = new RegExp(`^${SHORT_DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`);

/** The first and the last second that four digits of a year can tell. */
const FIRST_SECOND = Date.parse("0001-01-01T00:00:00Z") / 1000;
const LAST_SECOND = Date.parse("9999-12-31T23:59:59Z") / 1000;

/** The present second and the times of files that are asked for now: the same again and again. */
const formatted = new Map<number, string>();
const MAX_FORMATTED = 256;

/**
 * Writes a time as IMF-fixdate, e.g. `Sun, 06 Nov 1994 08:49:37 GMT`.
 *
 * @param seconds whole seconds since the epoch; those outside the years 1 to 9999 are clamped
 */
export function formatHttpDate(seconds: number): string {
  const known = formatted.get(seconds);
  if (known !== undefined) return known;
  const clamped = Math.min(Math.max(seconds, FIRST_SECOND), LAST_SECOND);
  const text = new Date(clamped * 1000).toUTCString();
  if (formatted.size >= MAX_FORMATTED) formatted.clear();
  formatted.set(seconds, text);
  return text;
}

/**
 * Reads an HTTP date in any of its three forms; gives whole seconds since the epoch, or `null` when
 * the text is none of them exactly, names no real day or has the wrong day of the week.
 *
 * @param text the field value
 * @param now seconds since the epoch, for the two-digit years of RFC 850: one that would be more
 * than 50 years ahead is in the past
 */
export function parseHttpDate(text: string, now: number): number | null {
  const imf = IMF_FIXDATE.exec(text) ?? ASCTIME.exec(text);
  if (imf !== null) return secondsOf(imf.groups ?? {}, Number(imf.groups?.["year"]));
  const rfc850 = RFC_850.exec(text);
  if (rfc850 === null) return null;
  const thisYear = new Date(now * 1000).getUTCFullYear();
  let year = thisYear - thisYear % 100 + Number(rfc850.groups?.["year"]);
  if (year > thisYear + 50) year -= 100;
  return secondsOf(rfc850.groups ?? {}, year);
}

// --- internal ---

type Parts = Readonly<Record<string, string | undefined>>;

function secondsOf(parts: Parts, year: number): number | null {
  const month = MONTHS.indexOf(parts["month"] ?? "");
  const day = Number(parts["day"]);
  const hour = Number(parts["hour"]);
  const minute = Number(parts["minute"]);
  const second = Number(parts["second"]);
  // 60 is a leap second, which a Unix time can't tell from the second after it.
  if (hour > 23 || minute > 59 || second > 60) return null;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month, day);
  // A day that the month doesn't have rolls over into the next month.
  if (midnight.getUTCMonth() !== month || midnight.getUTCDate() !== day) return null;
  const weekday = parts["weekday"] ?? "";
  if (!DAYS[midnight.getUTCDay()]?.startsWith(weekday.slice(0, 3))) return null;
  return midnight.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}
