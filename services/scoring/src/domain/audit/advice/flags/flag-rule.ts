import type { Store } from '@shelfwise/facts/stores/store';
import type { Tier } from '@shelfwise/facts/tiers';
import type { TermsToAdd, TermToAdd } from '../../audit-input.ts';
import type { ReadListing } from '../../read-listing.ts';

/** Worst first, as in the report. */
export const severities = ['critical', 'warning', 'info'] as const;

export type Severity = (typeof severities)[number];

/** In the order of the report. */
export const axes = ['coverage', 'targeting', 'appeal'] as const;

export type Axis = (typeof axes)[number];

/** The figures and words that raised a flag, by name. */
export type FlagEvidence = Readonly<
  Record<string, number | string | readonly string[] | readonly TermToAdd[]>
>;

export type FlagRule = {
  code: string;
  severity: Severity;
  /** Absent: both stores. */
  store?: Store;
  /** Absent: all tiers. */
  tiers?: readonly Tier[];
  title: string;
  /** what the problem costs */
  impact: string;
  /** what to do about it */
  fix: string;
  /**
   * The fix asks for searched words for this field, or for any. The evidence also has the best of them (`words_to_add`), once
   * they are known; an empty list: none.
   */
  asksForWords?: keyof TermsToAdd;
  /** The evidence that raises the flag. Null: nothing raises it, or a pending word could disprove it. */
  findEvidence: (listing: ReadListing, tier: Tier) => FlagEvidence | null;
};
