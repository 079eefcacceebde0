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
  const offsetAt = createOffset(timeZone);
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

/** How far the clocks of a time zone are ahead of UTC, in ms. */
function createOffset(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', {
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
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
    const shown = Date.UTC(
      part('year'),
      part('month') - 1,
      part('day'),
      part('hour'),
      part('minute'),
      part('second'),
    );
    return shown - Math.floor(at / 1000) * 1000;
  };
}
