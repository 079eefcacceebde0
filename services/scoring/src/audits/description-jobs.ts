import type { SourceGuard } from '@shelfwise/facts/source-guard';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { storefrontOf } from '@shelfwise/facts/stores/storefront';
import { AppError } from '@shelfwise/runtime/errors';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { wordsToLookUp } from '../domain/audit/words/described-phrases.ts';
import { textsOf } from '../domain/listing-context.ts';
import { weekMs } from '../domain/term-schedule.ts';
import type { ClaimedLook, DescriptionLook, DescriptionLookStore } from '../stores/description-look-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import type { StoreReader } from '../terms/store-reader.ts';

/** Those of a description that was changed stay for a while. */
const maxAnswers = 20;
/** Longer than a call, which waits up to 25 s for a call slot and then for the store's reply. */
const claimMs = 60_000;
const callMs = 45_000;
/** Few words wait, and calls for others come first. */
const callsAtOnce = 2;

/**
 * The listings of one store with a word of the description to look up. Each look-up is one call of the store's suggestions; a
 * listing has at most ten a week. After the last word or call the listing chooses its words to add again.
 */
export function createDescriptionJobs(deps: {
  store: Store;
  looks: Pick<DescriptionLookStore, 'queue' | 'find' | 'allowCall'>;
  listings: Pick<ListingStore, 'find' | 'chooseAgain'>;
  storeFetch: Pick<StoreReader['storeFetch'], 'suggestTerms'>;
  sourceGuard: SourceGuard;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
  /** Called when a listing became due. */
  wakeAudits: () => void;
}): JobSource<ClaimedLook> {
  const { store, looks, listings, storeFetch, sourceGuard, now, random, wakeAudits } = deps;
  const { queue } = looks;

  /** The words of the live description that were not looked up this week. */
  async function findWords({ _id }: ClaimedLook, { answers }: DescriptionLook) {
    const listing = await listings.find(_id);
    if (!listing || listing.due_at == null) return null;
    const storefront = storefrontOf(listing);
    const weekAgo = now().getTime() - weekMs;
    const known = new Set(answers.flatMap(({ word, read_at: at }) => (at.getTime() > weekAgo ? word : [])));
    const words = wordsToLookUp({ storefront, description: textsOf(listing.content).description });
    return { storefront, words: words.filter((word) => !known.has(word)) };
  }

  async function chooseAgain({ _id }: ClaimedLook): Promise<void> {
    await listings.chooseAgain(_id, now());
    wakeAudits();
  }

  return {
    name: `${storeNames[store]} descriptions to look up`,
    maxConcurrency: callsAtOnce,
    isAwaited: false,

    claim: (count) =>
      queue.claim(() => queue.listDue({ store }, now(), count), new Date(now().getTime() + claimMs)),

    partsOf: (job) => [job],

    nextDueAt: () => queue.nextDueAt([{ store }]),

    readBacklog: () => queue.readBacklog([{ store }], now()),

    async run(job, call) {
      const look = await looks.find(job._id);
      const found = look && (await findWords(job, look));
      const [word] = found?.words ?? [];
      if (!look || !found || word === undefined) {
        await queue.drop(job, {});
        return 'skipped';
      }
      if (!(await looks.allowCall(job, now()))) {
        // Words are left, so nothing has been chosen yet from the answers of this week.
        if (await queue.drop(job, {})) await chooseAgain(job);
        return 'skipped';
      }
      const { storefront } = found;
      const request = { storefront, prefix: word, for_daily_run: true, is_thorough: false };
      const deadline = new Date(Date.now() + callMs);
      const reply = await storeFetch.suggestTerms(request, { ...call, deadline });
      const readAt = now();
      // A list that the store withholds is no empty one, which would count for a week.
      if (!reply.suggestions)
        throw new AppError('STORE_FETCH_FAILED', 'The store’s suggestions are not known.');
      const suggestions = reply.suggestions.terms;
      if (reply.reading) await sourceGuard.admit(reply.reading.source);
      // The store is asked once more to prove that an empty list is one.
      if (suggestions.length === 0) await looks.allowCall(job, readAt);
      const others = look.answers.filter((answer) => answer.word !== word);
      const answers = [...others, { word, suggestions, read_at: readAt }].slice(-maxAnswers);
      const isLast = found.words.length === 1;
      if (!isLast) await queue.complete(job, readAt, { answers });
      else if (await queue.drop(job, { set: { answers } })) await chooseAgain(job);
      return 'done';
    },

    async fail(job, isToBlame) {
      await queue.fail(job, isToBlame, { at: now(), random });
    },

    requeue: (jobs) => queue.requeue(jobs),
  };
}
