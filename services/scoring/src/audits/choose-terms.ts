import { hasNoAutocomplete } from '@shelfwise/facts/stores/has-no-autocomplete';
import type { Store } from '@shelfwise/facts/stores/store';
import type { AuditInput } from '../domain/audit/audit-input.ts';
import type { Readiness } from '../domain/audit/axes/readiness.ts';
import type { DescriptionLookStore } from '../stores/description-look-store.ts';
import type { Listing, ListingInAudit } from '../stores/listing.ts';
import type { PagelessScore } from '../stores/term-projections.ts';
import { type FindCandidatesDeps, findCandidates } from './find-candidates.ts';
import { findDescribedTerms } from './find-described-terms.ts';

export type ChooseTermsDeps = FindCandidatesDeps & {
  descriptionLooks: Pick<DescriptionLookStore, 'request'>;
  now: () => Date;
  /** Called when words of a description may be due. */
  wakeDescriptions: (store: Store) => void;
};

/** What the next audit reads besides the texts. */
type ChosenTerms = Pick<Listing, 'candidates' | 'described_terms'> &
  Partial<Pick<Listing, 'candidate_requests' | 'is_choice_due'>> & {
    /** Some of them were not chosen before. */
    hasNew: boolean;
    /** The next audit follows at once: it requests the new terms, or reports that there are none. */
    isAuditedNext: boolean;
  };

/** What an audit knows by then. */
type Audited = {
  input: AuditInput;
  readiness: Readiness;
  /** the UTC day of the audit */
  day: string;
  isDailyAudit: boolean;
  /** the terms of name, subtitle and keywords field */
  aimed: readonly string[];
  /** the terms of all texts of the listing */
  shown: ReadonlySet<string>;
  tracked: readonly string[];
  /** the terms that something else has measured */
  measured: ReadonlySet<string>;
  scores: ReadonlyMap<string, PagelessScore>;
};

/**
 * Chooses the terms that a listing might add, and those of its description that fill its basket. They are chosen once enough is
 * read, then with each daily audit. Candidates are chosen again when the store's suggestions for words of the description are
 * known.
 */
export async function chooseTerms(
  deps: ChooseTermsDeps,
  listing: ListingInAudit,
  audited: Audited,
): Promise<ChosenTerms> {
  const { candidates: known, described_terms: knownDescribed } = listing;
  if (!isReady(listing, audited)) {
    const kept = { candidates: known, described_terms: knownDescribed };
    return { ...kept, hasNew: false, isAuditedNext: false };
  }
  const isChoosing = audited.isDailyAudit || known === null || listing.is_choice_due === true;
  const chosen = isChoosing ? await chooseCandidates(deps, listing, audited) : { candidates: known };
  const described =
    audited.isDailyAudit || knownDescribed === null
      ? await findDescribedTerms(deps, listing, audited)
      : knownDescribed;
  const hasNew =
    hasOther(chosen.candidates?.terms, known?.terms) || hasOther(described ?? [], knownDescribed ?? []);
  return { ...chosen, described_terms: described, hasNew, isAuditedNext: hasNew || known === null };
}

/** On the first day they wait for every word, so that the order in which words are read does not matter. */
function isReady({ followed_since_day: firstDay }: ListingInAudit, { readiness, day }: Audited): boolean {
  return readiness.is_shown && (readiness.is_aim_read || day > firstDay);
}

async function chooseCandidates(
  deps: ChooseTermsDeps,
  listing: ListingInAudit,
  { input, aimed, shown, tracked, measured }: Audited,
) {
  const { _id: id, store } = listing;
  const { candidates, requests } = await findCandidates(deps, listing, input, {
    aimed: new Set(aimed),
    shown,
    tracked,
    measured,
  });
  if (!hasNoAutocomplete(input.storefront)) {
    await deps.descriptionLooks.request(id, store, deps.now());
    deps.wakeDescriptions(store);
  }
  return { candidates, candidate_requests: requests, is_choice_due: false };
}

function hasOther(terms: readonly string[] = [], known: readonly string[] = []): boolean {
  return terms.some((keyword) => !known.includes(keyword));
}
