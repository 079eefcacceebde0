import { createHash } from 'node:crypto';
import { normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';

/** The texts of a listing that its store shows; null: not known. */
export type ShownTexts = { title: string | null; subtitle: string | null; description: string | null };

/**
 * Identifies the texts of a listing, apart from line breaks, white space at the ends, and composed letters, which differ between a
 * draft and the store. Null: one of them is not known. 32 hexadecimal digits.
 */
export function textsFingerprint({ title, subtitle, description }: ShownTexts): string | null {
  if (title === null || subtitle === null || description === null) return null;
  const texts = [title, subtitle, description].map(normalForm);
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 32);
}

const normalForm = (text: string) => normalizeNewlines(text).trim().normalize('NFC');
