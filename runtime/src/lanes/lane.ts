import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { AppError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { isDatabaseFailure } from '../mongo.ts';
import { createBell } from './bell.ts';
import type { DueWork } from './due-work.ts';
import { createLaneBreaker } from './lane-breaker.ts';
import { createLaneLog } from './lane-log.ts';
import { createLaneWidth } from './lane-width.ts';
import type { Sleep } from './sleep.ts';

/** How often a lane without work looks for some. */
const lookEveryMs = 5000;
/** How long what is being read may take to end at a stop; then it is given up and put back. */
const finishMs = 3000;

/** What a lane has done since it was made. */
export type LaneTotals = { done: number; failed: number };

export type Lane = {
  name: string;
  start(): void;
  /** There may be something due: look now. */
  wake(): void;
  /** Takes nothing new; finishes what is being read, or puts it back. */
  stop(): Promise<void>;
  /** Pieces that are claimed and not ended yet; those of a claim that is being made not among them. */
  held(): number;
  isClaiming(): boolean;
  totals(): LaneTotals;
  /** Why it reads nothing, and when it tries again; null when it gets on, or has nothing to try. */
  trouble(): { until: Date; reason: string } | null;
};

/**
 * Reads the pieces of one kind of work as they come due, several at once, as many as the store lets through. When
 * nothing can be read it leaves the store alone for a while and then asks for one piece only. It holds twice as many
 * pieces as it reads at once, however many are due.
 */
export function createLane<Piece>(deps: {
  work: DueWork<Piece>;
  logger: Logger;
  metrics: Pick<Metrics, 'lanePieces' | 'lanePaused'>;
  now: () => Date;
  sleep: Sleep;
}): Lane {
  const { work, logger, metrics, now, sleep } = deps;
  const breaker = createLaneBreaker(now);
  const width = createLaneWidth(work.atOnce);
  const log = createLaneLog({ logger, work: work.name, now });
  const bell = createBell();
  const stopping = new AbortController();
  const givingUp = new AbortController();
  const reading = new Set<Promise<void>>();
  const totals = { done: 0, failed: 0 };
  let untried: Piece[] = [];
  /** Nothing was due when it looked last: it does not look again before this moment. */
  let lookAgainAt = 0;
  let isClaiming = false;
  let running = Promise.resolve();

  // Each reading listens; Node takes more than ten for a mistake.
  setMaxListeners(0, givingUp.signal);

  const held = () => reading.size + untried.length;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (breaker.isPaused()) await putBackUntried();
      else await claimSome();
      beginSome();
      await rest();
    }
    await putBackUntried();
  }

  async function claimSome(): Promise<void> {
    const room = width.current() === 1 ? 1 : 2 * width.current();
    if (msToNextLook() > 0 || held() > room / 2) return;
    isClaiming = true;
    try {
      const claimed = await work.claim(room - held(), breaker.trouble() !== null);
      untried.push(...claimed);
      if (claimed.length === 0) lookAgainAt = now().getTime() + lookEveryMs;
      if (breaker.answered()) getsOnAgain();
      showTrouble();
    } catch (error) {
      pauseBegan(breaker.stopped(toReason(error)), error);
    } finally {
      isClaiming = false;
    }
  }

  function beginSome(): void {
    while (!stopping.signal.aborted && !breaker.isPaused() && reading.size < width.current()) {
      const piece = untried.shift();
      if (piece === undefined) return;
      const ended = readOne(piece).finally(() => {
        reading.delete(ended);
        bell.ring();
      });
      reading.add(ended);
    }
  }

  /** Until something ends, somebody wakes the lane, or, with nothing to do, it is time to look again. */
  async function rest(): Promise<void> {
    if (stopping.signal.aborted) return;
    if (reading.size > 0) return bell.heard();
    const trialAt = breaker.isPaused() ? breaker.trouble()?.until.getTime() : undefined;
    const ms = trialAt ? trialAt - now().getTime() : msToNextLook();
    if (ms <= 0) return;
    const isOver = new AbortController();
    void sleep(ms, isOver.signal).then(() => {
      if (!isOver.signal.aborted) bell.ring();
    });
    await bell.heard();
    isOver.abort();
  }

  async function readOne(piece: Piece): Promise<void> {
    const startedAt = now().getTime();
    const call = { requestId: `daily-run-${randomUUID()}`, signal: givingUp.signal };
    try {
      const outcome = await work.read(piece, call);
      metrics.lanePieces.inc({ work: work.name, outcome: outcome === 'done' ? 'done' : 'not_wanted' });
      if (outcome === 'done') succeeded(now().getTime() - startedAt);
    } catch (error) {
      if (givingUp.signal.aborted) await putBack([piece]);
      else await failed(piece, error);
    }
  }

  function succeeded(ms: number): void {
    totals.done += 1;
    if (!breaker.isPaused()) width.took(ms);
    log.count('done');
    if (breaker.succeeded()) getsOnAgain();
  }

  function getsOnAgain(): void {
    showTrouble();
    logger.info({ work: work.name }, 'the daily run gets on again');
  }

  /** With nothing to try nobody knows whether it can be read by now. */
  const trouble = () => (breaker.isPaused() || held() > 0 ? breaker.trouble() : null);

  const showTrouble = () => metrics.lanePaused.set({ work: work.name }, trouble() ? 1 : 0);

  /** A clock that was set back must not keep it from looking. */
  function msToNextLook(): number {
    const ms = lookAgainAt - now().getTime();
    return ms > lookEveryMs ? 0 : ms;
  }

  async function failed(piece: Piece, error: unknown): Promise<void> {
    totals.failed += 1;
    width.failed();
    log.count('failed');
    metrics.lanePieces.inc({ work: work.name, outcome: 'failed' });
    if (isOurs(error)) logger.error({ err: error, work: work.name }, 'the daily run has an error');
    const isToBlame = breaker.trouble() === null;
    pauseBegan(breaker.failed(toReason(error)), error);
    // What cannot be written now comes due when its claim runs out.
    await work.fail(piece, isToBlame).catch(() => {});
  }

  function pauseBegan(isFirst: boolean, error: unknown): void {
    if (!breaker.isPaused()) return;
    width.narrow();
    showTrouble();
    if (isFirst)
      logger.warn({ work: work.name, ...breaker.trouble(), err: error }, 'the daily run is paused');
  }

  async function putBackUntried(): Promise<void> {
    const pieces = untried;
    untried = [];
    await putBack(pieces);
  }

  async function putBack(pieces: readonly Piece[]): Promise<void> {
    if (pieces.length === 0) return;
    metrics.lanePieces.inc({ work: work.name, outcome: 'put_back' }, pieces.length);
    await work.putBack(pieces).catch(() => {});
  }

  return {
    name: work.name,
    start() {
      showTrouble();
      running = run();
    },
    wake() {
      lookAgainAt = 0;
      bell.ring();
    },
    async stop() {
      stopping.abort();
      bell.ring();
      await running;
      const ended = new AbortController();
      const all = Promise.all(reading).finally(() => ended.abort());
      await Promise.race([all, sleep(finishMs, ended.signal)]);
      givingUp.abort(new AppError('SERVICE_UNAVAILABLE', 'The service is stopping. Try again.'));
      await all;
    },
    held,
    isClaiming: () => isClaiming,
    totals: () => ({ ...totals }),
    trouble,
  };
}

/** A sentence for an operator; the driver's own words name inner addresses. */
function toReason(error: unknown): string {
  if (error instanceof AppError) return error.message;
  if (isDatabaseFailure(error)) return 'The database does not answer.';
  return 'Something went wrong inside; the log has more.';
}

/** Neither a store nor a service nor the database: somebody must look. */
function isOurs(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'INTERNAL_ERROR';
  return !isDatabaseFailure(error);
}
