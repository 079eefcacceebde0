import { canonicalCountry, countryPattern } from '@shelfwise/facts/stores/country';
import { canonicalLanguage, languagePattern } from '@shelfwise/facts/stores/language';
import { isStore, type Store, stores } from '@shelfwise/facts/stores/store';
import {
  countCharacters,
  keywordLength,
  keywordProblem,
  normalizeKeyword,
  prefixLength,
  prefixProblem,
} from '@shelfwise/facts/text/keyword';
import { z } from 'zod';
import { maxPage } from './shapes.ts';

/**
 * What clients send: the fields that endpoints share, each checked and made canonical in one place. What the document
 * says of a field stands before its transformation, or its examples would be taken for what comes out.
 */

/** A whole number in a path or query. Text of any other form is left as it is and then refused. */
const textToInteger = (value: unknown) =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;

const textToBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value);

const notFromOne = ({ code, input }: z.core.$ZodRawIssue) =>
  code === 'too_big' || typeof input === 'object' || input === undefined
    ? undefined
    : 'must be a whole number from 1';

/** A whole number of `max` at most. One that is too big even to be counted with breaks one rule, not two. */
export function wholeNumber(max: number, explain?: (issue: z.core.$ZodRawIssue) => string | undefined) {
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'too_big' ? `must be at most ${max}` : explain?.(issue);
  return z.int({ abort: true, error }).max(max);
}

type Meta = { description: string; examples: unknown[]; default?: number };

/** A whole number from 1 in a path or query. */
export function integerParameter(meta: Meta, max = Number.MAX_SAFE_INTEGER) {
  const number = wholeNumber(max, notFromOne).min(1, { error: notFromOne });
  return z.preprocess(textToInteger, number.meta(meta));
}

/** The same, where it may be left out. The document takes the default from the number itself, not from around it. */
export function defaultedParameter(description: string, max: number, fallback: number) {
  const meta = { description, examples: [fallback], default: fallback };
  return integerParameter(meta, max).default(fallback);
}

/** An internal id in a path or query. */
export function idParameter(description: string) {
  return integerParameter({ description, examples: [42] });
}

/** An internal id in a body. */
export function idField(description: string) {
  return z
    .int()
    .min(1)
    .meta({ description, examples: [42] });
}

export function flagParameter(description: string) {
  return z.preprocess(textToBoolean, z.boolean().meta({ description, examples: [true] }));
}

/** The most rows that a page of a history has. */
export const maxHistoryRows = 200;

/** Paging of a history of what an account did; spread it into a query. */
export const historyPageFields = {
  page: defaultedParameter('Page, from 1.', maxPage, 1),
  per_page: defaultedParameter(`Rows per page, ${maxHistoryRows} at most.`, maxHistoryRows, 50),
};

/** No app store is older than this, and days are counted from here. */
const firstDate = '1970-01-01';
/** The same for the document, which says by the format what a date is. */
const datePattern = '^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}$';

export const dateParameter = z.iso
  .date({ error: 'must be a date as YYYY-MM-DD', abort: true })
  .refine((date) => date >= firstDate, `must be ${firstDate} or later`)
  .meta({ examples: ['2026-01-31'], pattern: datePattern });

/** As a package name, a numeric id and a bundle id can look. */
export const storeIdentifierField = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, 'must be a package name, a numeric app id or a bundle id')
  .meta({
    description:
      'Store identifier: a package name on Google Play; a numeric id or a bundle id on the App Store.',
    examples: ['9005997251'],
  });

export const storeField = z
  .enum(stores)
  .meta({ description: 'ITUNES is the App Store, GPLAY is Google Play.', examples: ['ITUNES'] });

const unknownCountry = 'must be a country of the store, as two letters (ISO 3166-1)';

/** A country of any store; with a store beside it, `isSoldIn` looks closer. */
export const countryField = z
  .string()
  .meta({
    description: 'Country of the store, ISO 3166-1 alpha-2, in any letter case.',
    examples: ['US'],
    pattern: countryPattern,
    minLength: 2,
    maxLength: 2,
  })
  .transform((text, context) => {
    const country = stores.map((store) => canonicalCountry(store, text)).find((found) => found !== null);
    if (country) return country;
    context.addIssue({ code: 'custom', message: unknownCountry });
    return z.NEVER;
  });

const langField = z
  .string()
  .meta({
    description: 'Language, BCP 47, in any letter case: a language, optionally its script and region.',
    examples: ['en-US', 'zh-Hans-CN'],
    pattern: languagePattern,
    minLength: 2,
    maxLength: 12,
  })
  .transform((text, context) => {
    const language = canonicalLanguage(text);
    if (language !== null) return language;
    context.addIssue({ code: 'custom', message: 'must be a language code such as en-US (BCP 47)' });
    return z.NEVER;
  });

/** store, country and lang, all required; spread them into a body and refine it with `isSoldIn`. */
export const marketFields = { store: storeField, country: countryField, lang: langField };

/**
 * The rule that a country belongs to the store beside it, where both were sent: `schema.refine(isSoldIn, soldInOptions)`. It is looked at
 * whatever else is wrong, so that an answer names every wrong field.
 */
export function isSoldIn({
  store,
  country,
}: {
  store?: Store | undefined;
  country?: string | undefined;
}): boolean {
  return store === undefined || country === undefined || canonicalCountry(store, country) !== null;
}

export const soldInOptions = {
  path: ['country'],
  error: unknownCountry,
  when: ({ value }: { value: unknown }) => {
    const { store, country } = (value ?? {}) as { store?: unknown; country?: unknown };
    return typeof country === 'string' && typeof store === 'string' && isStore(store);
  },
};

type Limits = { min: number; max: number };

/** `unprintable` for the document, but for the blanks among them, which the normal form makes spaces of, and for halves. */
const termPattern = '^[^\\u0000-\\u0008\\u000e-\\u001f\\u007f-\\u009f\\ufffd]*$';

/**
 * A text that a store is asked for, handed on in its normal form, which also is what its length is counted in: two
 * spellings of one term are both right or both wrong. So the document bounds the length of what is sent only from below:
 * one sign may become many, blanks become one or none. `problemOf` is what the services refuse beside that, so that it
 * is refused here, before it costs anything.
 */
function termField(
  limits: Limits,
  what: string,
  example: string,
  problemOf: (normal: string) => string | null = () => null,
) {
  const { min, max } = limits;
  return z
    .string()
    .meta({
      description: `${what} of ${min} to ${max} characters, counted in its normal form: NFKC, lower case, trimmed, inner blanks as one. So what is sent may be shorter or longer.`,
      minLength: 1,
      pattern: termPattern,
      examples: [example],
    })
    .transform((text, context) => {
      const normal = normalizeKeyword(text);
      const message = formProblem(normal, limits) ?? (problemOf(normal) && 'must hold a visible character');
      if (message !== null) context.addIssue({ code: 'custom', message });
      return normal;
    });
}

/** Control characters, halves of surrogate pairs, and the mark that a decoder leaves where it could not read. */
const unprintable = /[\p{Cc}\p{Cs}\ufffd]/u;

function formProblem(normal: string, { min, max }: Limits): string | null {
  const length = countCharacters(normal);
  if (length < min || length > max) return `must have ${min} to ${max} characters`;
  return unprintable.test(normal) ? 'must not hold control characters or broken Unicode' : null;
}

/** One keyword of a list: that nothing of it can be seen is an error of its own among the results. */
export const keywordField = termField(keywordLength, 'A search term', 'habit tracker');
export const searchedKeywordField = termField(
  keywordLength,
  'A search term',
  'habit tracker',
  keywordProblem,
);
export const prefixField = termField(prefixLength, 'The beginning of a search term', 'habit', prefixProblem);
export const topicField = termField(keywordLength, 'A topic', 'habit tracker', keywordProblem);
