const RFC3339 = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:[.,](\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether year, month and day are a day of the calendar. */
export function isDay(year: number, month: number, day: number): boolean {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month >= 1 && month <= 12 && day >= 1 && day <= (DAYS[month - 1] ?? 0) + (leap ? 1 : 0);
}

/** The milliseconds since 1970 of an RFC 3339 text, as Go reads it; undefined if it is none. */
export function parseTime(text: string): number | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  if (!isDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return undefined;
  const [offsetHours = 0, offsetMinutes = 0] = [match[9], match[10]].map((part) => Number(part ?? 0));
  if (offsetHours > 24 || offsetMinutes > 60) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second, Number(`0.${match[7] ?? 0}`) * 1000);
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  return date.getTime() - (match[8] === '-' ? -offset : offset);
}

/** A time as Kubernetes writes it: in UTC, without fractions of a second. */
export function formatTime(milliseconds: number): string {
  return `${new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().slice(0, -5)}Z`;
}
