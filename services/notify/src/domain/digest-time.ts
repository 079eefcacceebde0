import type { DigestEvery } from '@shelfwise/facts/alerts/digests';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** When a digest is sent: every day, or every Monday, at a full hour (0 to 23) of a time zone. */
export type DigestSchedule = { every: DigestEvery; hour: number; time_zone: string };

/** Whether it is a name of a time zone, such as Europe/Berlin or UTC. Fixed offsets such as +01:00 are none. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/**
 * The next time after `after`. An hour that the clocks skip is that at which they go on; one that comes twice is the first.
 * @throws RangeError when the time zone is not known
 */
export function nextDigestAt({ every, hour, time_zone: timeZone }: DigestSchedule, after: Date): Date {
  const offsetAt = offsetOf(timeZone);
  const local = new Date(after.getTime() + offsetAt(after.getTime()));
  const today = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate());
  // A day more than a week: today's hour may be over.
  for (let days = 0; days <= 8; days += 1) {
    const day = today + days * dayMs;
    if (every === 'week' && new Date(day).getUTCDay() !== 1) continue;
    const at = toInstant(day + hour * 60 * minuteMs, offsetAt);
    if (at > after.getTime()) return new Date(at);
  }
  throw new Error('a week has no Monday');
}

/** The first instant at which clocks show the local time, in ms; in a gap, the one at which they go on. */
function toInstant(local: number, offsetAt: (at: number) => number): number {
  // The offset changes at most once in two days.
  const [before, after] = [offsetAt(local - dayMs), offsetAt(local + dayMs)];
  const found = [local - before, local - after].filter((at) => at + offsetAt(at) === local);
  return found.length > 0 ? Math.min(...found) : local - before;
}

/** To make the format of a time zone takes longer than all else here. Names are few, but accounts may spell them in many ways. */
const offsets = new Map<string, (at: number) => number>();
const maxOffsets = 100;

function offsetOf(timeZone: string): (at: number) => number {
  const known = offsets.get(timeZone);
  if (known) return known;
  const offsetAt = createOffset(timeZone);
  if (offsets.size >= maxOffsets) offsets.clear();
  offsets.set(timeZone, offsetAt);
  return offsetAt;
}

/** How far the clocks of a time zone are ahead of UTC, in ms. */
function createOffset(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    // In this order; by name (`formatToParts`) takes twice as long.
    const [month = 0, day = 0, year = 0, ...time] = (format.format(at).match(/\d+/g) ?? []).map(Number);
    const [hour, minute, second] = time;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
  };
}
