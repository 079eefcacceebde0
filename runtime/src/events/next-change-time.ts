/**
 * The time of the next change of a document, so that this time is also the version of the change: later than the
 * previous one, even if the clock of this copy is behind the clock of the copy that made that one. A consumer can then
 * keep the change with the latest time, in whatever order the events arrive.
 *
 * The write must be conditional on `previous` still being stored. Two changes at the same time would otherwise get the
 * same version.
 *
 * @param previous the time of the stored change; null when there is none
 * @returns `now`, or 1 ms after `previous`
 */
export function nextChangeTime(now: Date, previous: Date | null | undefined): Date {
  if (previous == null || previous < now) return now;
  return new Date(previous.getTime() + 1);
}
