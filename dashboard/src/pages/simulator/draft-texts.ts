import { normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';
import type { FieldKey } from '../listing/model.ts';
import type { SimulatorModel, Texts } from './model.ts';

type Fields = readonly Pick<SimulatorModel['fields'][number], 'key' | 'live'>[];

/** A draft that is the live listing. */
export const asLive: Texts = { title: null, subtitle: null, kw_field: null, description: null };

/** What a field of the draft holds. */
export function shownText(texts: Texts, { key, live }: Fields[number]): string {
  return texts[key] ?? live ?? '';
}

/** Whether nothing is known of what a field holds, live and in the draft. That is not an empty field. */
export function isNotKnown(texts: Texts, { key, live }: Fields[number]): boolean {
  return (texts[key] ?? live) === null;
}

/** Whether a run has scored what the draft is now. The store counts any line break as one. */
export function isOfDraft(run: Texts, texts: Texts, fields: Fields): boolean {
  return fields.every(({ key, live }) => stored(run[key]) === stored(texts[key] ?? live));
}

const stored = (text: string | null) => text && normalizeNewlines(text);

/** The draft with a field typed; one that is typed as it is live follows the live listing again. */
export function typeText(texts: Texts, { key, live }: Fields[number], text: string): Texts {
  return { ...texts, [key]: text === live ? null : text };
}

/** The texts that differ from the live listing, as calls of the API name them. */
export function changedTexts(texts: Texts): Partial<Record<FieldKey, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));
}

/** All texts that are known: those of the draft, and the live ones. */
export function knownTexts(texts: Texts, fields: Fields): Partial<Record<FieldKey, string>> {
  return changedTexts({
    ...asLive,
    ...Object.fromEntries(fields.map(({ key, live }) => [key, texts[key] ?? live])),
  });
}

/**
 * The draft with a word or phrase at the end of a field. A keywords field gets the words of it that name, subtitle and the field
 * itself do not carry yet: the store joins the words of all three, and a repeat takes room.
 */
export function addTerm(texts: Texts, fields: Fields, field: Fields[number], term: string): Texts {
  const text = shownText(texts, field);
  const isList = field.key === 'kw_field';
  const separator = isList ? ',' : ' ';
  const added = isList ? wordsMissingIn(indexedTexts(texts, fields), term).join(separator) : term;
  if (added === '' || text === added || text.endsWith(`${separator}${added}`)) return texts;
  return typeText(texts, field, text === '' ? added : `${text}${separator}${added}`);
}

function indexedTexts(texts: Texts, fields: Fields): string[] {
  return fields.filter(({ key }) => key !== 'description').map((field) => shownText(texts, field));
}

/** Words as spaces, commas and other signs separate them, in any letter case. */
function wordsMissingIn(texts: readonly string[], term: string): string[] {
  const carried = new Set(texts.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{M}\p{N}]+/u)));
  return term.split(/\s+/).filter((word) => !carried.has(word.toLowerCase()));
}

/** The draft with the texts of a saved run. A text that the run does not know stays as in the live listing. */
export function takeTexts(taken: Texts, fields: Fields): Texts {
  return fields.reduce((texts, field) => {
    const text = taken[field.key];
    return text === null ? texts : typeText(texts, field, text);
  }, asLive);
}
