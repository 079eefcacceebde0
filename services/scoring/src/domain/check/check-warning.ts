import type { ListingField } from '@shelfwise/facts/stores/listing-fields';
import { cutText } from '@shelfwise/facts/text/cut-text';
import type { CheckWarning } from '@shelfwise/proto/scoring/v1/scoring';

/** error: the store would refuse it; warning: it costs something, or a reviewer may object; info: good to know. */
export type WarningLevel = 'error' | 'warning' | 'info';

/** A warning about one field, as a sentence. Null `rule`: it is about a limit or the form. */
export function createWarning(
  level: WarningLevel,
  message: string,
  rule: string | null = null,
): CheckWarning {
  return { level, message, rule };
}

/** The field's name after "the" in a sentence; always singular: "the Keywords field". */
export function fieldName({ key, label }: ListingField): string {
  return key === 'kw_field' ? `${label} field` : label;
}

const mostQuoted = 5;
const mostQuotedUnits = 40;

/** Quotes the first findings, so that a message stays short: `"free", "sale" and 3 more`. */
export function quote(found: readonly string[]): string {
  return list(found.map((text) => `"${shorten(text)}"`));
}

/** Lists the first findings: `U+200B, U+FEFF and 3 more`. */
export function list(found: readonly string[]): string {
  const shown = found.slice(0, mostQuoted).join(', ');
  const rest = found.length - mostQuoted;
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}

function shorten(text: string): string {
  if (text.length <= mostQuotedUnits) return text;
  return `${cutText(text, mostQuotedUnits)}…`;
}
