import type { Store } from '@shelfwise/facts/store';
import type { Tier } from '@shelfwise/facts/tiers';
import type { Evidence } from '@shelfwise/proto/scoring/v1/aso_report';
import type { ReadListing } from '../read-listing.ts';

/** Worst first: the order of the report. */
export const severities = ['critical', 'warning', 'info'] as const;

export type Severity = (typeof severities)[number];

export type Axis = 'coverage' | 'targeting' | 'appeal';

/** What raised a flag, by name. */
export type Figures = Readonly<Record<string, number | string | readonly string[]>>;

export type FlagRule = {
  code: string;
  severity: Severity;
  /** Absent: both stores. */
  store?: Store;
  /** Absent: all tiers. */
  tiers?: readonly Tier[];
  title: string;
  /** What it costs. */
  impact: string;
  /** What to do. */
  fix: string;
  /** The figures that raise it; null: there is nothing to say, or what is pending could disprove it. */
  figures: (listing: ReadListing, tier: Tier) => Figures | null;
};

/** A list in the evidence names this many at most. */
const maxTexts = 20;

export function evidenceOf(figures: Figures): Evidence[] {
  return Object.entries(figures).map(([name, value]) => ({ name, value: evidenceValue(value) }));
}

function evidenceValue(value: Figures[string]): Evidence['value'] {
  if (typeof value === 'number') return { $case: 'number', value };
  if (typeof value === 'string') return { $case: 'text', value };
  return { $case: 'texts', value: { texts: value.slice(0, maxTexts) } };
}
