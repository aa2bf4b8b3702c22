/**
 * Seconds of a duration such as `90s`, `30m` or `1h30m`.
 *
 * @throws if the text has another form
 */
export function seconds(duration: string): number {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration);
  if (!match || duration === '') {
    throw new Error(`"${duration}" is not a duration; expected hours, minutes and seconds, such as 90s, 30m or 1h30m`);
  }
  const [, hours = '0', minutes = '0', rest = '0'] = match;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(rest);
}
