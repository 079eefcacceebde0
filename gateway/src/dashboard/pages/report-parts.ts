import {
  type Figure,
  known,
  knownOr,
  numberOf,
  pending,
  scoreFigure,
  type Unknown,
  unknown,
} from '@shelfwise/dashboard/figure';
import type {
  AuditProgress,
  Evidence,
  Flag,
  ListingField,
  Word,
  WordToAdd,
} from '@shelfwise/dashboard/pages/listing/model';
import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import { wordsOf } from '@shelfwise/facts/text/words';
import type { z } from 'zod';
import type { asoReport } from '../../routes/answers/aso-report.ts';
import type { getAsoHealth } from '../../routes/get-aso-health.ts';

/** Parts of an ASO Health report, as pages show them. */

export type Report = z.output<typeof asoReport>;
type PendingAudit = z.output<typeof getAsoHealth.data>['pending'];
export type ReportField = Report['fields'][number];
type ReportWord = NonNullable<ReportField['words']>[number];
type ReportFlag = Report['flags'][number];
type EvidenceValue = NonNullable<ReportFlag['evidence']>[string];
type Advised = Extract<Extract<EvidenceValue, unknown[]>[number], object>;

/** The evidence that lists words to add: they have a table of their own. */
const advisedKey = 'words_to_add';

/** The traffic or difficulty of a word, 0 to 100; null: it is being measured. */
export function wordScore(score: number | null, isPartial = false): Figure {
  return scoreFigure(score, { isPartial, isBlocked: false });
}

export function toListingField(field: ReportField, store: Store): ListingField {
  return {
    key: field.key,
    label: field.label,
    state: field.state,
    length: knownOr(field.length, whyUnknown(field)),
    limit: known(field.limit),
    score: fieldScore(field, store),
    hint: field.hint,
    text: field.text,
    isCut: field.truncated,
    words: (field.words ?? []).map(toWord),
  };
}

/** A field without a score is not published, does not count in the search of the store, or waits for its words. */
function fieldScore({ key, score, state }: ReportField, store: Store): Figure {
  if (score !== null) return known(score);
  if (state === 'missing') return unknown(whyUnknown({ key }));
  const isIndexed = listingFields[store].find((field) => field.key === key)?.isIndexed;
  return isIndexed ? pending : { state: 'not_applicable' };
}

/** Only the keywords field is published by no store. */
function whyUnknown({ key }: Pick<ReportField, 'key'>): Unknown {
  return key === 'kw_field' ? 'not_published' : 'not_read';
}

function toWord({ name, status, counts, traffic, difficulty, is_partial: isPartial }: ReportWord): Word {
  return {
    name,
    status,
    counts: counts === null ? pending : known(counts),
    traffic: wordScore(traffic, isPartial),
    difficulty: wordScore(difficulty),
  };
}

/** How far a pending audit is; null: it is not pending. */
export function toProgress(pending: PendingAudit): AuditProgress | null {
  return (
    pending && {
      words: knownOr(pending.words, 'not_read'),
      read: knownOr(pending.words_read, 'not_read'),
      nextLookAt: pending.next_look_at,
    }
  );
}

export function toFlag({ code, severity, title, impact, fix, evidence }: ReportFlag): Flag {
  const entries = Object.entries(evidence ?? {}).filter(([name]) => name !== advisedKey);
  return {
    code,
    severity,
    title,
    impact,
    fix,
    evidence: entries.map(([name, value]) => ({ name: name.replaceAll('_', ' '), value: toEvidence(value) })),
  };
}

function toEvidence(value: EvidenceValue): Evidence['value'] {
  if (typeof value === 'number') return known(value);
  if (typeof value === 'string') return value;
  return value.map((item) => (typeof item === 'string' ? item : item.name));
}

/**
 * The words that any flag advises, each once, with the fields for which they are advised. What adds most comes first. Words that
 * the present fields have are left out: the advice may be of an earlier listing. Null: no flag lists any.
 * @param present the fields of the present listing
 */
export function toWordsToAdd(
  flags: readonly ReportFlag[],
  present: readonly ReportField[],
  lang: string,
): WordToAdd[] | null {
  const lists = flags.flatMap(({ evidence }) => {
    const list = evidence?.[advisedKey];
    return Array.isArray(list) ? [list.filter((item) => typeof item === 'object')] : [];
  });
  if (lists.length === 0) return null;
  const used = new Set(
    present.flatMap(({ key, words }) => (key === 'description' ? [] : (words ?? []).map(({ name }) => name))),
  );
  const words = new Map<string, WordToAdd>();
  for (const one of lists.flat()) {
    const missing = wordsOf(one.name, lang).filter((word) => !used.has(word));
    if (missing.length === 0) continue;
    const word = words.get(one.name) ?? toWordToAdd(one);
    words.set(one.name, word);
    if (word.places.some(({ field }) => field === one.field)) continue;
    // The store joins the words of a keywords field with those of the others: a repeat takes room.
    const text = one.field === 'kw_field' ? missing.join() : one.name;
    word.places.push({ field: one.field, text, adds: knownOr(one.global_delta, 'not_compared') });
  }
  for (const { places } of words.values()) places.sort((a, b) => pointsOf(b) - pointsOf(a));
  return [...words.values()].toSorted((a, b) => pointsOf(b.places[0]) - pointsOf(a.places[0]));
}

function pointsOf(place: WordToAdd['places'][number] | undefined): number {
  return (place && numberOf(place.adds)) ?? -1;
}

/** Without its places. */
function toWordToAdd({ name, source, traffic, difficulty, rank, genre_share }: Advised): WordToAdd {
  return {
    name,
    places: [],
    source,
    traffic: wordScore(traffic),
    difficulty: wordScore(difficulty),
    rank: rank === null ? null : known(rank),
    genreShare: genre_share === null ? unknown('not_read') : known(Math.round(100 * genre_share)),
  };
}
