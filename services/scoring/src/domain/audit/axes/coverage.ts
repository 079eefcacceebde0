import { countUnits, type ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import { roundHalfUp } from '../../curve.ts';
import { weightedMean } from '../../weights.ts';
import type { AuditField } from '../audit-field.ts';
import { areEnoughRead } from './read-share.ts';
import { countsOf, isEarning, isOwnWord, type WordRow } from './word-table.ts';

/** How a field is scored. (docs/scores.md, coverage) */
type FieldAim = {
  /** in the mean of the axis */
  weight: number;
  /** The traffic of all earning words together at which the field's traffic part is .55 (`slowness`). */
  fullTraffic: number;
  /** Whether the room that earning words fill counts too. A long description need not be full of them. */
  countsCharacters: boolean;
  /**
   * Whether the field is scored only once enough of its own words are read, because it has many. The name and the
   * subtitle are scored from the first one on: an audit waits for both together (`readinessOf`).
   */
  waitsForWords: boolean;
};

const aims: Readonly<Record<Store, Partial<Record<ListingFieldKey, FieldAim>>>> = {
  ITUNES: {
    title: { weight: 0.45, fullTraffic: 120, countsCharacters: true, waitsForWords: false },
    subtitle: { weight: 0.3, fullTraffic: 120, countsCharacters: true, waitsForWords: false },
    kw_field: { weight: 0.25, fullTraffic: 300, countsCharacters: true, waitsForWords: true },
  },
  GPLAY: {
    title: { weight: 0.4, fullTraffic: 120, countsCharacters: true, waitsForWords: false },
    subtitle: { weight: 0.25, fullTraffic: 160, countsCharacters: true, waitsForWords: false },
    description: { weight: 0.35, fullTraffic: 400, countsCharacters: false, waitsForWords: true },
  },
};

/** How slowly the traffic part grows: at `fullTraffic` it is .55, at twice of it .80, at three times .91. */
const slowness = 1.25;
/** The weight of the traffic part; the rest is that of the characters. */
const trafficShare = 0.6;
/** The character part is full at this share of the limit: no text consists of earning words alone. */
const fullLimitShare = 0.8;

export type FieldCoverage = AuditField & {
  words: readonly WordRow[];
  /** 0 to 100, not rounded; null: missing, not indexed, or too few of its words are read */
  score: number | null;
};

/** A field with its words and its score: how much searched vocabulary it is credited for. */
export function fieldCoverage(store: Store, field: AuditField, words: readonly WordRow[]): FieldCoverage {
  const aim = aims[store][field.key];
  const isScored = aim !== undefined && field.state !== 'missing' && isReadEnough(aim, words);
  return { ...field, words, score: isScored ? fieldScore(aim, field.limit, words) : null };
}

/**
 * A field of unread words has no score: 0 would say that it carries nothing that people search for. A repeat of an
 * unread word counts as read, because it earns nothing either way. Words with an unproven page are not awaited.
 */
function isReadEnough({ waitsForWords }: FieldAim, words: readonly WordRow[]): boolean {
  const awaited = words.filter(({ isUnproven }) => !isUnproven);
  const own = awaited.filter(isOwnWord).length;
  const pending = awaited.filter(isPending).length;
  return waitsForWords ? areEnoughRead(own, pending) : own === 0 || pending < own;
}

function isPending({ status }: WordRow): boolean {
  return status === 'pending';
}

/** As `coverageOf`, not rounded. */
export function exactCoverageOf(store: Store, fields: readonly FieldCoverage[]): number {
  const parts = fields.map(({ key, score }) => ({ weight: aims[store][key]?.weight ?? 0, value: score }));
  return weightedMean(parts) ?? 0;
}

/**
 * Coverage, 0 to 100: the searched vocabulary that the indexed fields carry. A field without a
 * score is dropped and the other weights are renormalized; an empty one counts as 0. (docs/scores.md, coverage)
 */
export function coverageOf(store: Store, fields: readonly FieldCoverage[]): number {
  return roundHalfUp(exactCoverageOf(store, fields));
}

/**
 * 0 to 100. A word counts by its gain: `traffic * gain` and `characters * gain`. Pending words add nothing, and their
 * characters are subtracted from the limit; when they fill it, the characters are dropped.
 */
function fieldScore(aim: FieldAim, limit: number, words: readonly WordRow[]): number {
  const earning = words.filter(isEarning);
  const earned = sumOf(earning, countsOf);
  const traffic = 1 - Math.exp(-earned / (slowness * aim.fullTraffic));
  const pending = words.filter(isPending);
  const room = limit - sumOf(pending, ({ name }) => countUnits(name));
  if (!aim.countsCharacters || room <= 0) return 100 * traffic;
  const filled = sumOf(earning, ({ name, gain }) => countUnits(name) * gain);
  const characters = Math.min(1, filled / (fullLimitShare * room));
  return 100 * (trafficShare * traffic + (1 - trafficShare) * characters);
}

function sumOf(words: readonly WordRow[], getValue: (word: WordRow) => number): number {
  return words.reduce((sum, word) => sum + getValue(word), 0);
}
