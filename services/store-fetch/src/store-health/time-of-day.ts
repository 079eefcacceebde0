/** The UTC time, such as 12:04:16, rounded up to the second, so that what is possible then is possible at that time. */
export function timeOfDay(date: Date): string {
  return new Date(Math.ceil(date.getTime() / 1000) * 1000).toISOString().slice(11, 19);
}
