import { checkAccountId, checkId, checkInteger, checkPage, checkText } from '../check-request.ts';
import type { Sleep } from '../concurrency/sleep.ts';
import { AppError, invalidParams } from '../errors.ts';
import type { CallContext } from '../grpc/grpc-types.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { CapReservations } from '../mongo/cap-reservations.ts';
import type { CounterStore } from '../mongo/counter-store.ts';
import { isDatabaseFailure } from '../mongo/database-errors.ts';
import type { DiskSpace } from '../process/disk-space.ts';
import {
  type BulkJob,
  failedUnexpectedly,
  type ItemFailure,
  type ItemOutcome,
  maxBatchItems,
  maxItems,
  maxJobsPerHour,
  maxOpenJobs,
  maxTries,
  triedForMs,
} from './bulk-job.ts';
import type { BulkJobStore, ItemChange, WaitingItem } from './bulk-job-store.ts';

/** A batch is due again so long after its copy died, or after it was taken and not run. */
const claimMs = 20_000;
/** While a batch runs, its claim is renewed. */
const renewMs = 5000;
/** How long a batch may run. */
export const runBatchMs = 55_000;
/** When all that is left of a job was tried before, and while the disk is low. */
const pauseMs = 60_000;
const hourMs = 60 * 60_000;
/** Due jobs among which one is chosen: more than those of the accounts whose batches run. */
const mostListed = 50;
/** All texts of a job, in UTF-8: more than the normal forms of the longest list. */
const maxTextBytes = 512 * 1024;
/** In UTF-16 units. The gateway accepts 4,000 code points. */
const maxTextLength = 8000;

export type TakenBatch<Target> = {
  job: Pick<BulkJob<Target>, '_id' | 'account_id' | 'target'>;
  claim: string;
  items: readonly WaitingItem[];
};

/** What the caller has counted of a batch, and why it counts no more; null: it would. */
export type Grant = {
  jobId: number;
  claim: string;
  items: readonly { position: number; isCapped: boolean }[];
  refusal: ItemFailure | null;
};

/** Items whose API request, and whose use of a capped feature, cost nothing because they failed or are tried again. */
export type Refunds = { requests: number; uses: number };

/**
 * Attempts the items of a batch, one outcome each in their order. `ends` is why no other item of the job can succeed; null: others
 * may. An item with `began_at` was attempted before, and that attempt may have done its work.
 */
export type RunItems<Target> = (
  job: Pick<BulkJob<Target>, '_id' | 'account_id' | 'target'>,
  items: readonly WaitingItem[],
) => Promise<Attempt>;

type Attempt = { outcomes: readonly ItemOutcome[]; ends: ItemFailure | null };

export type BulkJobs<Target extends object> = ReturnType<typeof createBulkJobs<Target>>;

/**
 * Jobs of accounts, shared by all copies of a service. The job is a document of the job queue: a claim on it is one batch of its
 * items. After a batch, all jobs of its account wait behind those of other accounts. An item ends in one write, whichever copy
 * comes first, so a crash loses none; what its attempt has done by then is for `RunItems` to find.
 */
export function createBulkJobs<Target extends object>(deps: {
  store: BulkJobStore<Target>;
  counters: CounterStore<'job'>;
  capReservations: Pick<CapReservations, 'write'>;
  /** The id of the n-th job. */
  toId: (n: number) => number;
  /** The items of a batch. */
  batchItems: number;
  /** In metrics. */
  name: string;
  metrics: Pick<Metrics, 'jobQueues' | 'bulkItems'>;
  /** The disk of an embedded database. No batch begins while it is low. */
  diskSpace?: DiskSpace | undefined;
  now: () => Date;
  sleep: Sleep;
  /** A random number from 0 to 1. */
  random: () => number;
}) {
  const { store, counters, capReservations, toId, name, metrics, diskSpace, now, sleep, random } = deps;
  const { queue } = store;
  const batchItems = Math.min(deps.batchItems, maxBatchItems);
  metrics.jobQueues.add(name, () => queue.readBacklog([{}], now()));
  const claimEnd = () => new Date(now().getTime() + claimMs);

  async function findOwn(request: { account_id: string; id: number }): Promise<BulkJob<Target>> {
    const id = checkId('id', request.id);
    const job = await store.find(checkAccountId(request.account_id), id);
    if (!job) throw noSuchJob();
    return job;
  }

  /** Keeps the claim on a job until the signal fires, or longer than any batch runs. */
  async function renew(held: { _id: number; claim: string }, signal: AbortSignal): Promise<void> {
    for (let heldMs = 0; heldMs < runBatchMs; heldMs += renewMs) {
      await sleep(renewMs, signal);
      if (signal.aborted) return;
      // The database may be away for a moment: the claim lasts longer.
      await queue.extend(held, claimEnd()).catch(() => {});
    }
  }

  /**
   * Saves how the attempts ended. What another worker has changed first is left out of all that it returns: the refunds, and whether
   * an item has ended. A caller that has gone hears of no refund: then only results are saved, and the others stay counted for the
   * next attempt.
   */
  async function save(
    items: readonly WaitingItem[],
    outcomes: readonly ItemOutcome[],
    { claim, isCallerGone }: { claim: string; isCallerGone: boolean },
  ) {
    const refunds: Refunds = { requests: 0, uses: 0 };
    let hasMoved = false;
    const at = now();
    const ends = items.flatMap((item, index) => {
      const outcome = outcomes[index];
      if (!outcome) return [];
      const end = toEnd(item, outcome, at);
      return isCallerGone && end.set.state !== 'done' ? [] : [{ item, end }];
    });
    const changed = await store.change(
      ends.map(({ item, end }) => ({ id: item._id, set: end.set })),
      claim,
    );
    for (const { item, end } of ends) {
      if (!changed.has(item._id)) continue;
      const { state = 'waiting' } = end.set;
      if (end.isRefunded) refunds.requests += 1;
      if (state !== 'done' && item.is_capped) refunds.uses += 1;
      if (state === 'waiting') continue;
      hasMoved = true;
      metrics.bulkItems.inc({ jobs: name, outcome: state });
    }
    return { refunds, hasMoved };
  }

  /** The job that has been due for longest, of an account without a batch that runs if there is one. */
  async function listNext() {
    const due = await queue.listDue({}, now(), mostListed);
    if (due.length < 2) return due;
    const busy = await store.listBusyAccounts(now());
    const next = due.find(({ account_id: accountId }) => !busy.has(accountId)) ?? due[0];
    return next ? [next] : [];
  }

  /** @throws PLAN_LIMIT */
  async function checkCreations(accountId: string): Promise<void> {
    const created = await store.listCreations(accountId, new Date(now().getTime() - hourMs));
    const nth = created.at(-maxJobsPerHour);
    if (nth) throw tooManyCreated(new Date(nth.getTime() + hourMs));
  }

  return {
    /**
     * `max_open`: the most open jobs of the account afterwards.
     * @throws INVALID_PARAMS; PLAN_LIMIT without room, or after too many jobs within an hour; SERVICE_UNAVAILABLE while other calls
     *   may take the last of it
     */
    async create(
      request: { account_id: string; texts: readonly string[]; max_open: number },
      target: Target,
      signal: AbortSignal,
    ): Promise<BulkJob<Target>> {
      const accountId = checkAccountId(request.account_id);
      const { texts } = request;
      const cap = checkInteger('max_open', request.max_open, 0, maxOpenJobs);
      if (texts.length < 1 || texts.length > maxItems)
        throw invalidParams({ texts: `must hold 1 to ${maxItems} texts` });
      for (const text of texts) checkText('texts', text, 1, maxTextLength);
      if (texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0) > maxTextBytes)
        throw invalidParams({ texts: `must have at most ${maxTextBytes / 1024} KiB together` });
      if (cap === 0) throw tooManyOpen();
      await checkCreations(accountId);
      // First, so that a failure of it leaves no job that the caller does not hear of.
      await store.deleteOld(accountId, signal);
      const countRows = () => store.countOpen(accountId);
      const { written, isFull } = await capReservations.write(
        { accountId, item: 'jobs', cap, wanted: 1, countRows, signal },
        {
          write: async () => {
            const _id = toId(await counters.take('job', 1));
            return store.add({ _id, account_id: accountId, target }, texts, now());
          },
          // It must not run if this is interrupted.
          undo: async ({ _id }) => {
            await store.cancel(accountId, _id, now());
            await store.remove(accountId, _id, signal);
          },
        },
      );
      if (!written && isFull) throw tooManyOpen();
      if (!written)
        throw new AppError('SERVICE_UNAVAILABLE', 'Another call may create the last job. Try again.');
      return written;
    },

    list: (request: { account_id: string }): Promise<BulkJob<Target>[]> =>
      store.list(checkAccountId(request.account_id)),

    /** @throws NOT_FOUND */
    async read(request: { account_id: string; id: number; page: number; per_page: number }) {
      const page = checkPage(request);
      const job = await findOwn(request);
      return { job, items: await store.listItems(job, page) };
    },

    /** What runs now still ends. @throws NOT_FOUND */
    async cancel(request: { account_id: string; id: number }) {
      const id = checkId('id', request.id);
      const job = await store.cancel(checkAccountId(request.account_id), id, now());
      return job ? { job, alreadyEnded: false } : { job: await findOwn(request), alreadyEnded: true };
    },

    /**
     * Claims the next batch. `taken` null: no job is due, or the disk is low; one may be at `nextAt`, when its pause or a claim on it
     * ends.
     */
    async take(): Promise<{ taken: TakenBatch<Target> | null; nextAt: Date | null }> {
      if (diskSpace?.isLow()) return { taken: null, nextAt: new Date(now().getTime() + pauseMs) };
      const [job] = await queue.claim(listNext, claimEnd());
      if (job) {
        const items = await store.listWaiting(job._id, batchItems);
        if (items.length > 0) return { taken: { job, claim: job.claim, items }, nextAt: null };
        // A crash came between its last item and its end.
        const counts = await store.count(job._id, null);
        await queue.drop(job, { set: { state: 'done', ...counts, finished_at: now() } });
      }
      return { taken: null, nextAt: await queue.nextDueAt([{}]) };
    },

    /**
     * A grant of nothing gives the batch back. An unexpected failure of `runItems` is logged and counts as an attempt of each item,
     * so that none is attempted for ever.
     * @throws NOT_FOUND when the claim is lost, before anything is counted; the failure of the database; the end of the call
     */
    async run(
      grant: Grant,
      runItems: RunItems<Target>,
      { signal, log }: Pick<CallContext, 'signal' | 'log'>,
    ): Promise<Refunds> {
      const { jobId, claim, refusal } = grant;
      const held = { _id: checkId('job_id', jobId), claim };
      if (!(await queue.extend(held, claimEnd()))) throw noSuchClaim();
      const job = await store.findClaimed(jobId, claim);
      if (!job) throw noSuchClaim();
      if (grant.items.length === 0 && !refusal) {
        await queue.requeue([{ ...held, due_at: now() }]);
        return { requests: 0, uses: 0 };
      }
      await store.start(jobId, claim, now());

      const items = await store.findWaiting(
        job,
        grant.items.map(({ position }) => position),
      );
      const capped = new Set(grant.items.flatMap(({ position, isCapped }) => (isCapped ? [position] : [])));
      const idsOf = (isCapped: boolean) =>
        items.flatMap(({ _id, position }) => (capped.has(position) === isCapped ? [_id] : []));
      const at = now();
      await store.markBegun(
        items.map(({ _id }) => _id),
        at,
      );
      await store.markSpent(idsOf(true), { isCapped: true, at });
      await store.markSpent(idsOf(false), { isCapped: false, at });
      // Those that an earlier attempt has counted keep how. `began_at` is that of earlier attempts.
      const marked = items.map((item) =>
        item.spent_at ? item : { ...item, is_capped: capped.has(item.position) },
      );

      // After failures of the upstream alone, the pauses grow from a minute to half an hour.
      const retry = (isToBlame: boolean) =>
        queue.fail({ ...held, failures: job.failures }, isToBlame, { at: now(), random });
      const ran = new AbortController();
      void renew(held, ran.signal);
      let attempt: Attempt = { outcomes: [], ends: null };
      try {
        if (marked.length > 0) attempt = await runItems(job, marked);
      } catch (error) {
        if (signal.aborted || isDatabaseFailure(error)) {
          await retry(false);
          throw error;
        }
        log.error({ err: error, job_id: jobId }, 'a batch of a job failed unexpectedly');
        attempt = { outcomes: marked.map(() => ({ again: failedUnexpectedly })), ends: null };
      } finally {
        ran.abort();
      }
      const { outcomes, ends } = attempt;
      // Before they are given back: what was granted now is tried again, with or without the refusal.
      const refused = refusal ? await store.failWaiting(jobId, refusal, { spent_at: null }) : 0;
      const { refunds, hasMoved } = await save(marked, outcomes, { claim, isCallerGone: signal.aborted });
      const ended = refused + (ends ? await store.failWaiting(jobId, ends) : 0);
      if (ended > 0) metrics.bulkItems.inc({ jobs: name, outcome: 'failed' }, ended);
      const counts = await store.count(jobId, hasMoved ? now() : null);

      if (counts.done + counts.failed >= job.total)
        await queue.drop(held, { set: { state: 'done', finished_at: now() } });
      else {
        // Items with the fewest attempts come first: all that is left has been tried before.
        const isRepeated = marked.every(({ tries }) => tries > 0);
        const isAnswered =
          hasMoved || outcomes.some(isIncomplete) || (!isRepeated && outcomes.some(isUnproven));
        const mustPause = isRepeated && outcomes.some(isAgain);
        if (isAnswered) await queue.complete(held, new Date(now().getTime() + (mustPause ? pauseMs : 0)));
        else await retry(outcomes.some((one) => one !== 'wait'));
      }
      await store.queueBehindOthers(job.account_id, now());
      return refunds;
    },

    /** Deletes the jobs of an account until the signal fires. */
    deleteAccount: store.deleteAccount,

    /** What expires, for `createSweep`. */
    deleteBefore: store.deleteBefore,
    deleteItemsBefore: store.deleteItemsBefore,
  };
}

type End = { set: ItemChange['set']; isRefunded: boolean };

/** What becomes of an item. One that still waits has cost nothing so far. */
function toEnd({ tries, began_at: beganAt }: WaitingItem, outcome: ItemOutcome, at: Date): End {
  const givenBack = { spent_at: null, is_capped: false };
  if (outcome === 'wait') return { set: givenBack, isRefunded: true };
  if ('result' in outcome)
    return { set: { state: 'done', result: Buffer.from(outcome.result) }, isRefunded: false };
  if ('failure' in outcome)
    return { set: { state: 'failed', failure: outcome.failure }, isRefunded: outcome.isRefunded };
  const triedMs = at.getTime() - (beganAt ?? at).getTime();
  if (tries + 1 < maxTries || triedMs < triedForMs)
    return { set: { ...givenBack, tries: tries + 1 }, isRefunded: true };
  // A store that answered to the last has cost the call.
  return { set: { state: 'failed', failure: outcome.again }, isRefunded: !isUnproven(outcome) };
}

const isAgain = (outcome: ItemOutcome): boolean => outcome !== 'wait' && 'again' in outcome;

const isIncomplete = (outcome: ItemOutcome): boolean =>
  outcome !== 'wait' && 'again' in outcome && outcome.isIncomplete === true;

const isUnproven = (outcome: ItemOutcome): boolean =>
  outcome !== 'wait' && 'again' in outcome && outcome.isUnproven === true;

function noSuchJob(): AppError {
  return new AppError('NOT_FOUND', 'This account has no job with that id.');
}

function noSuchClaim(): AppError {
  return new AppError('NOT_FOUND', 'The batch belongs to another copy.');
}

function tooManyOpen(): AppError {
  return new AppError(
    'PLAN_LIMIT',
    `An account has at most ${maxOpenJobs} open jobs. Wait for one, or cancel it.`,
  );
}

function tooManyCreated(until: Date): AppError {
  return new AppError(
    'PLAN_LIMIT',
    `An account creates at most ${maxJobsPerHour} jobs of a kind in an hour. The next one is possible at ${until.toISOString()}.`,
  );
}
