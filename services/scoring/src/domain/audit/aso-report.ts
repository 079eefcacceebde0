import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { Tier } from '@shelfwise/facts/tiers';
import type { Axis, FlagEvidence, Severity } from './advice/flags/flag-rule.ts';
import type { AuditField } from './audit-field.ts';
import type { Verdict } from './axes/reach.ts';
import type { RelevanceParts } from './axes/relevance.ts';
import type { Reason } from './axes/targeting.ts';
import type { WordStatus } from './axes/word-table.ts';

/**
 * The audit of a listing as it is stored. Field names are those of the public API. Scores, traffic and difficulty are
 * integers, 0 to 100. Null: unknown or not measured yet.
 */
export type AsoReport = {
  /** the geometric mean of the three axes */
  global: number;
  tier: Tier;
  computed_at: Date;
  /** coverage, targeting, appeal, in this order */
  axes: { key: Axis; score: number }[];
  fields: FieldEntry[];
  targeting: TargetingReport;
  appeal: AppealReport;
  /** the worst first */
  flags: Flag[];
  scoring_version: number;
};

export type FieldEntry = {
  key: ListingFieldKey;
  /** the store's own name of the field */
  label: string;
  /** the most important advice about the field, a sentence or two; null: none */
  hint: string | null;
  /** Null when the state is `missing`, the store does not index the field, or too few of its words are read. */
  score: number | null;
  state: AuditField['state'];
  /** UTF-16 units, a line break counts 1; null: missing */
  length: number | null;
  /** the maximum length, in the same units */
  limit: number;
  /** the first 160 characters; null: missing */
  text: string | null;
  /** whether the field has more characters than `text` */
  truncated: boolean;
  words: WordEntry[];
};

export type WordEntry = {
  /** normal form */
  name: string;
  traffic: number | null;
  difficulty: number | null;
  /** how often the text has the word; null except in Google Play's long description */
  occurrences: number | null;
  status: WordStatus;
  /** How much it is the app's business, 0 to 1; null: unknown. */
  relevance: number | null;
  /** How much of its traffic and its characters counts, 0 to 1. */
  gain: number;
  /** What the relevance is the best of, two decimals; null: unknown. */
  relevance_parts: RelevanceParts | null;
  /** The app's best rank for the word and its forms; null: none, or not known. */
  rank: number | null;
  /** What it counts in its field, in points of traffic: `traffic * gain` of a word that earns, else 0; null: not known yet. */
  counts: number | null;
  /** The traffic was computed without the store's suggestions. */
  is_partial: boolean;
  /** When traffic and difficulty were computed; null: not measured. */
  scored_at: Date | null;
};

export type TargetingReport = {
  /** False when no searched term of the listing is known. */
  assessable: boolean;
  /**
   * Why not: people do not search for its terms, they are not read yet, or the traffic of some is partial. Null: it is assessable.
   */
  reason: 'unsearched' | 'unread' | 'partial' | null;
  /** The sums of `keywords`, the own brand at most 100, in points of traffic, two decimals. */
  won: number;
  lost: number;
  /** how many terms are left out because their traffic is partial */
  partial: number;
  /** the searched words and phrases of name, subtitle and keywords field, most traffic first */
  keywords: TargetedTerm[];
  /** how many of `keywords` have no difficulty yet */
  ungraded: number;
  /** the number of `unsearched_words` */
  unsearched: number;
  /** words of the same fields that could earn but are not searched for */
  unsearched_words: string[];
};

export type TargetedTerm = {
  name: string;
  /** the first field that contains the term */
  field: ListingFieldKey;
  traffic: number | null;
  difficulty: number | null;
  /** How much it is the app's business, 0 to 1; null: unknown. */
  relevance: number | null;
  /** How much of its traffic counts, 0 to 1. */
  gain: number;
  /** As those of a word. */
  relevance_parts: RelevanceParts | null;
  rank: number | null;
  /**
   * The best gain of the term and of the searched phrases that hold it. Null, as those below it, while the difficulty is
   * unknown.
   */
  listing_gain: number | null;
  /** how well the app can win it, 0 to 1 */
  credit: number | null;
  /** What it adds to `won` and `lost` of the listing, in points of traffic. */
  won: number | null;
  lost: number | null;
  /** Its `won` counts within the limit of the own brand. */
  own_brand: boolean;
  /** The form that counts in its place; null: none. */
  same_as: string | null;
  /** Empty while the difficulty is unknown. */
  verdict: Verdict | '';
  /** What decides the verdict; null: nothing but its difficulty. */
  reason: Reason | null;
  /** As those of a word. */
  is_partial: boolean;
  scored_at: Date | null;
};

export type AppealReport = {
  /** average, above 0 and up to 5; null: unknown, or no ratings */
  rating: number | null;
  /** null: unknown */
  screenshots: number | null;
  /** the number from which more screenshots add nothing */
  screenshots_target: number;
  days_since_update: number | null;
};

export type Flag = {
  code: string;
  axis: Axis;
  severity: Severity;
  title: string;
  /** what the problem costs */
  impact: string;
  /** what to do about it */
  fix: string;
  /** the figures and words that raised the flag; lists are cut at 20 entries */
  evidence: FlagEvidence;
};

/** The report without its word tables, which make up most of its size. */
export function withoutWords(report: AsoReport): AsoReport {
  return { ...report, fields: report.fields.map((field) => ({ ...field, words: [] })) };
}
