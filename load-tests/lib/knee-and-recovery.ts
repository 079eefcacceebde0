import { isSuccess } from '../k6/journey.ts';
import { isSlowRoute, spikeBeginsAt, spikeEndsAt } from '../k6/profiles.ts';
import { atShare, type Recording, toSeries } from './series.ts';

/** Long enough for a p95 that does not jump. */
const windowSeconds = 30;
/** From here on the p95 of calls that read stored data is slow, in ms. */
const slowMs = 100;
/** More failures than this share of the answers are too many. */
const mostFailures = 0.01;

/**
 * The answered calls a second in the last window before answers stay slow, or fail, until the end. 0 when they do so from the
 * beginning, null when they do not.
 */
export function findKnee(recording: Recording): number | null {
  const windows = toSeries(recording, windowSeconds);
  const stored = toSeries(onlyStored(recording), windowSeconds);
  const isOver = windows.map(({ rate, failures }, index) => {
    const failed = Object.values(failures).reduce((sum, one) => sum + one, 0);
    return failed > mostFailures * rate || (stored[index]?.p95 ?? Number.POSITIVE_INFINITY) > slowMs;
  });
  const last = isOver.lastIndexOf(false);
  if (last === windows.length - 1) return null;
  return windows[last]?.rate ?? 0;
}

/** The first calls of a run, in seconds, are slower. */
const settledAfter = 20;
/** In seconds. */
const [minute, step] = [60, 5];

/**
 * Seconds from the end of a spike until the p95 of a minute's calls that read stored data is within 10 % of that before it; null
 * when it is not.
 */
export function findRecovery(recording: Recording): number | null {
  const { startedAt, endedAt, calls } = onlyStored(recording);
  const p95Between = (from: number, to: number) => {
    const isWithin = (at: number) => at >= startedAt + 1000 * from && at < startedAt + 1000 * to;
    const times = calls.filter((call) => isSuccess(call) && isWithin(call.at)).map(({ ms }) => ms);
    return atShare(times, 0.95) ?? Number.POSITIVE_INFINITY;
  };
  const usual = p95Between(settledAfter, spikeBeginsAt);
  if (!Number.isFinite(usual)) return null;
  for (let second = spikeEndsAt; startedAt + 1000 * (second + minute) <= endedAt; second += step)
    if (p95Between(second, second + minute) <= 1.1 * usual) return second - spikeEndsAt;
  return null;
}

function onlyStored(recording: Recording): Recording {
  return { ...recording, calls: recording.calls.filter(({ route }) => !isSlowRoute(route)) };
}
