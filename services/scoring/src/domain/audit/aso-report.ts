import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { Tier } from '@shelfwise/facts/tiers';
import type { AuditField } from './audit-field.ts';
import type { Axis, FlagEvidence, Severity } from './flags/flag-rule.ts';
import type { Verdict } from './targeting.ts';
import type { WordStatus } from './word-table.ts';

/**
 * The audit of a listing as it is stored. Field names are those of the public API. Null: unknown or not measured yet.
 */
export type AsoReport = {
  /** 0 to 100 */
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
  hint: string | null;
  /** Null when the state is `missing` or the store does not index the field. */
  score: number | null;
  state: AuditField['state'];
  /** UTF-16 units, a line break counts 1; null: missing */
  length: number | null;
  limit: number;
  /** the first 160 characters; null: missing */
  text: string | null;
  truncated: boolean;
  words: WordEntry[];
};

export type WordEntry = {
  /** normal form */
  name: string;
  traffic: number | null;
  difficulty: number | null;
  /** Google Play's long description only */
  occurrences: number | null;
  status: WordStatus;
};

export type TargetingReport = {
  /** False when the listing has no searched term. */
  assessable: boolean;
  /** the searched terms, most traffic first */
  keywords: TargetedTerm[];
  /** how many of them have no difficulty yet */
  ungraded: number;
  unsearched: number;
  unsearched_words: string[];
};

export type TargetedTerm = {
  name: string;
  /** the first field that contains the term */
  field: ListingFieldKey;
  traffic: number | null;
  difficulty: number | null;
  /** Empty while the difficulty is unknown. */
  verdict: Verdict | '';
};

export type AppealReport = {
  /** 0 to 5; null: not rated */
  rating: number | null;
  screenshots: number;
  /** the number that the store displays well */
  screenshots_target: number;
  days_since_update: number | null;
};

export type Flag = {
  code: string;
  axis: Axis;
  severity: Severity;
  title: string;
  impact: string;
  fix: string;
  evidence: FlagEvidence;
};

/** The report without its word tables, which make up most of its size. */
export function withoutWords(report: AsoReport): AsoReport {
  return { ...report, fields: report.fields.map((field) => ({ ...field, words: [] })) };
}
