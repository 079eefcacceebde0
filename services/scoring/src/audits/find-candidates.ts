import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { dayMs, startOfDay, utcDay } from '@shelfwise/runtime/day';
import {
  type CandidateRequests,
  type Candidates,
  chooseCandidates,
  trackedRequests,
} from '../domain/audit/advice/choose-candidates.ts';
import type { AuditInput } from '../domain/audit/audit-input.ts';
import { brandRoleOf } from '../domain/audit/axes/brand-role.ts';
import { relevantTerms } from '../domain/audit/axes/relevant-terms.ts';
import { describedPhrases } from '../domain/audit/words/described-phrases.ts';
import { termsIn } from '../domain/audit/words/listing-terms.ts';
import { titlePhrases } from '../domain/audit/words/title-phrases.ts';
import { auditRequestMs, importances, weekMs } from '../domain/term-schedule.ts';
import type { DescriptionLookStore } from '../stores/description-look-store.ts';
import type { FollowedListing } from '../stores/listing.ts';
import type { TermStore } from '../stores/term-store.ts';

export type FindCandidatesDeps = {
  terms: Pick<TermStore, 'findPages' | 'findPublicTerms' | 'findKnownScores' | 'requestMeasuring'>;
  descriptionLooks: Pick<DescriptionLookStore, 'find'>;
};

/** Title phrases are taken from the result pages of at most this many relevant terms. */
const termsForTitles = 20;
const maxPages = 40;
/** Terms that nothing requests any more are used for this long. */
const knownMs = 2 * weekMs;

/**
 * Chooses the terms that a listing might add, and requests those that have to be measured for it. Four queries; the first reads
 * some 5 KB for each of 20 terms. No store call.
 * @param aimed the terms of name and subtitle
 * @param shown the terms of all texts of the listing
 * @param tracked terms that accounts track for the app: their words are measured, too
 * @param measured the terms that something else has measured
 */
export async function findCandidates(
  { terms, descriptionLooks }: FindCandidatesDeps,
  listing: FollowedListing,
  input: AuditInput,
  {
    aimed,
    shown,
    tracked,
    measured,
  }: {
    aimed: ReadonlySet<string>;
    shown: ReadonlySet<string>;
    tracked: readonly string[];
    measured: ReadonlySet<string>;
  },
): Promise<{ candidates: Candidates; requests: CandidateRequests }> {
  const { storefront, now, live_description: description } = input;
  const { lang } = storefront;
  const since = new Date(now.getTime() - knownMs);
  const relevant = relevantTerms(input).slice(0, termsForTitles);
  const [pages, look, ranked] = await Promise.all([
    terms.findPages(storefront, relevant),
    descriptionLooks.find(listing._id),
    terms.findPublicTerms(storefront, listing.app_id, { since, limit: maxPages }),
  ]);
  const apps = [...pages.values()].flatMap(({ reading }) => reading.page.apps.slice(0, 10));
  const suggestions = (look?.answers ?? []).flatMap((answer) => answer.suggestions);
  const found = {
    description: describedPhrases({ storefront, description }, suggestions),
    titles: titlePhrases(apps, { ...input, ownTerms: aimed }),
    pages: ranked,
  };
  const partsOf = (keyword: string) => termsIn(keyword, lang);
  const parts = [tracked, ...Object.values(found)].flatMap((keywords) => keywords.flatMap(partsOf));
  const known = await terms.findKnownScores(storefront, parts, since);
  const previous = currentRequests(listing.candidate_requests ?? null, utcDay(now));
  const requested = new Set(previous.keywords);
  const requestedOfTracked = new Set([...previous.keywords, ...(previous.tracked ?? [])]);
  // What all accounts see is chosen by what is public.
  const ofAll = { scores: known.open, isMeasured: isIn(shown), requested };
  const ofTracked = { scores: known.all, isMeasured: isIn(measured), requested: requestedOfTracked };
  const usefulOf = (keywords: readonly string[], { scores, requested: kept }: typeof ofAll) => {
    /** What is known to be useless is not chosen; what is measured for it stays until the week is over. */
    const isUseless = (keyword: string) =>
      !kept.has(keyword) && scores.get(keyword)?.search_status === 'unsearched';
    const isRival = (part: string) => {
      const score = scores.get(part);
      return score !== undefined && brandRoleOf(score, input) === 'rival';
    };
    return keywords.filter(
      (keyword) => !aimed.has(keyword) && !isUseless(keyword) && !partsOf(keyword).some(isRival),
    );
  };
  const { requests, ...candidates } = chooseCandidates(
    {
      description: usefulOf(found.description, ofAll),
      titles: usefulOf(found.titles, ofAll),
      pages: usefulOf(found.pages, ofAll),
    },
    lang,
    { ...ofAll, isKnown: isIn(known.open) },
  );
  const ofAccounts = trackedRequests(usefulOf(tracked, ofTracked), lang, {
    ...ofTracked,
    isKnown: isIn(known.all),
  });
  await requestCandidates({ terms }, storefront, { requests, ofAccounts }, now);
  return { candidates, requests: { since: previous.since, keywords: requests, tracked: ofAccounts } };
}

function isIn(terms: { has(keyword: string): boolean }): (keyword: string) => boolean {
  return (keyword) => terms.has(keyword);
}

/** The terms that are measured stay for a week, so that no more than these are read in it. */
function currentRequests(known: CandidateRequests | null, day: string): CandidateRequests {
  const isCurrent = known !== null && daysBetween(known.since, day) < 7;
  return isCurrent ? known : { since: day, keywords: [] };
}

function daysBetween(from: string, to: string): number {
  return (startOfDay(to).getTime() - startOfDay(from).getTime()) / dayMs;
}

/** Has the daily run measure them until the next days renew the request. Words of tracked terms tell something about accounts. */
async function requestCandidates(
  { terms }: Pick<FindCandidatesDeps, 'terms'>,
  storefront: Storefront,
  { requests, ofAccounts }: { requests: readonly string[]; ofAccounts: readonly string[] },
  at: Date,
): Promise<void> {
  if (requests.length + ofAccounts.length === 0) return;
  const toRequest = (keyword: string, isPublic: boolean) => ({
    keyword,
    importance: importances.phrase,
    isDaily: false,
    isPublic,
  });
  const measured = [
    ...ofAccounts.map((keyword) => toRequest(keyword, false)),
    ...requests.map((keyword) => toRequest(keyword, true)),
  ];
  await terms.requestMeasuring(storefront, measured, new Date(at.getTime() + auditRequestMs), at);
}
