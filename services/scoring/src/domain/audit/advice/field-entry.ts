import { countUnits } from '@shelfwise/facts/stores/listing-fields';
import { round2, roundHalfUp } from '../../curve.ts';
import { previewOf } from '../../text/preview.ts';
import type { FieldEntry, WordEntry } from '../aso-report.ts';
import type { FieldCoverage } from '../axes/coverage.ts';
import { roundedParts } from '../axes/relevance.ts';
import { countsOf, isEarning, type WordRow } from '../axes/word-table.ts';
import { fieldHint } from './field-hint.ts';

/** A field as the report shows it, with its word table. */
export function fieldEntry(field: FieldCoverage): FieldEntry {
  const { key, label, limit, state, text, score } = field;
  const preview = text === null ? null : previewOf(text);
  return {
    key,
    label,
    hint: fieldHint(field),
    score: score === null ? null : roundHalfUp(score),
    state,
    length: text === null ? null : countUnits(text),
    limit,
    text: preview,
    truncated: preview !== text,
    words: field.words.map(wordEntry),
  };
}

function wordEntry(word: WordRow): WordEntry {
  const {
    name,
    traffic,
    difficulty,
    relevance,
    parts,
    rank,
    gain,
    occurrences,
    status,
    isPartial,
    scoredAt,
  } = word;
  return {
    name,
    traffic,
    difficulty,
    relevance: relevance && round2(relevance),
    relevance_parts: parts && roundedParts(parts),
    rank,
    gain: round2(gain),
    counts: countsIn(word),
    occurrences,
    status,
    is_partial: isPartial,
    scored_at: scoredAt,
  };
}

/** What the word counts in its field, in points of traffic; null: not known yet. */
function countsIn(word: WordRow): number | null {
  if (word.status === 'pending') return null;
  return isEarning(word) ? round2(countsOf(word)) : 0;
}
