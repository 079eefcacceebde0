import { canonicalCountry, countryPattern } from '@shelfwise/facts/stores/country';
import { canonicalLanguage, languagePattern } from '@shelfwise/facts/stores/language';
import { resolveLanguageAlias } from '@shelfwise/facts/stores/language-alias';
import { isStore, type Store, stores } from '@shelfwise/facts/stores/store';
import { withoutInvisible } from '@shelfwise/facts/text/invisible-characters';
import {
  countCharacters,
  keywordLength,
  keywordProblem,
  normalizeKeyword,
  prefixLength,
  prefixProblem,
} from '@shelfwise/facts/text/keyword';
import { z } from 'zod';
import { findIdInAddress } from './find-id-in-address.ts';

/**
 * The input fields that endpoints share, each validated and normalized in one place. The metadata of a field comes
 * before its transformation, otherwise its examples would describe the output.
 */

/** Converts a whole number in a path or query. Any other text stays a text, which the number schema refuses. */
export const textToInteger = (value: unknown) =>
  typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;

const textToBoolean = (value: unknown) => (value === 'true' ? true : value === 'false' ? false : value);

/** Undefined for an issue that the general messages explain: missing, sent twice, or above the maximum. */
const explainNotPositive = ({ code, input }: z.core.$ZodRawIssue) =>
  code === 'too_big' || typeof input === 'object' || input === undefined
    ? undefined
    : 'must be a whole number from 1';

/**
 * A whole number up to `max`. `explain` replaces the messages of other issues. `abort` prevents a second message for a
 * number above the safe integers.
 */
export function wholeNumber(max: number, explain?: (issue: z.core.$ZodRawIssue) => string | undefined) {
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'too_big' ? `must be at most ${max}` : explain?.(issue);
  return z.int({ abort: true, error }).max(max);
}

type Meta = { description: string; examples: unknown[]; default?: number };

/** A whole number from 1 in a path or query. */
export function integerParameter(meta: Meta, max = Number.MAX_SAFE_INTEGER) {
  const number = wholeNumber(max, explainNotPositive).min(1, { error: explainNotPositive });
  return z.preprocess(textToInteger, number.meta(meta));
}

/**
 * A whole number from 1 with a default. The default is set twice, because the document takes it from the number schema,
 * and validation from the wrapper.
 */
export function integerParameterWithDefault(description: string, max: number, fallback: number) {
  const meta = { description, examples: [fallback], default: fallback };
  return integerParameter(meta, max).default(fallback);
}

/** An internal id in a path or query. */
export function idParameter(description: string) {
  return integerParameter({ description, examples: [42] });
}

/** Internal ids in a query, separated by commas, each once: 1 to `max`. */
export function idListParameter(description: string, max: number) {
  const pattern = new RegExp(`^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,${max - 1}}$`);
  return z
    .string()
    .regex(pattern, `must be 1 to ${max} ids, separated by commas`)
    .meta({ description, examples: ['1,2,3'] })
    .transform((text) => [...new Set(text.split(',').map(Number))]);
}

/** An internal id in a body. */
export function idField(description: string) {
  return z
    .int()
    .min(1)
    .meta({ description, examples: [42] });
}

/** Undefined for an issue that the general messages explain: missing or sent twice. */
const explainNoScore = ({ input }: z.core.$ZodRawIssue) =>
  typeof input === 'object' || input === undefined ? undefined : 'must be a whole number from 0 to 100';

/** A score from 0 to 100 in a query. @param fallback its default, for the document; `.default` sets it, too */
export function scoreParameter(description: string, fallback?: number) {
  const score = z
    .int({ abort: true, error: explainNoScore })
    .min(0, { error: explainNoScore })
    .max(100, { error: explainNoScore });
  const meta: Meta = { description, examples: [fallback ?? 40] };
  if (fallback !== undefined) meta.default = fallback;
  return z.preprocess(textToInteger, score.meta(meta));
}

export function booleanParameter(description: string) {
  return z.preprocess(textToBoolean, z.boolean().meta({ description, examples: [true] }));
}

/** Day numbers start here; no app store is older. */
const firstDate = '1970-01-01';
/** `firstDate` for the document: it checks only the year, because `format: date` checks month and day. */
const datePattern = '^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}$';

export const dateParameter = z.iso
  .date({ error: 'must be a date as YYYY-MM-DD', abort: true })
  .refine((date) => date >= firstDate, `must be ${firstDate} or later`)
  .meta({ examples: ['2026-01-31'], pattern: datePattern });

/**
 * A package name, a numeric id or a bundle id. A numeric id may be written as in the address of its page: `id281796108` is
 * passed on without `id`, so that both spellings are one app. Invisible characters come with what is copied from pages, and
 * are removed.
 */
export const storeIdentifierField = z
  .string()
  .overwrite(withoutInvisible)
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,254}$/, {
    error: ({ input }) => explainNoStoreIdentifier(String(input)),
  })
  .meta({
    description:
      'Store identifier: a package name on Google Play, a numeric id or a bundle id on the App Store. id281796108 means 281796108.',
    examples: ['9005997251'],
  })
  .overwrite((text) => text.replace(/^id(?=\d+$)/i, ''));

function explainNoStoreIdentifier(text: string): string {
  const found = findIdInAddress(text);
  return found === null
    ? 'must be a package name, a numeric app id or a bundle id'
    : `must be the id alone, not the address of a page; the id in this address is ${found}`;
}

export const storeField = z
  .enum(stores)
  .meta({ description: 'ITUNES is the App Store, GPLAY is Google Play.', examples: ['ITUNES'] });

const unknownCountry = 'must be a country of the store, as two letters (ISO 3166-1)';

/** A country of any store. Where the store is known too, pass the fields to `inStorefront`. */
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
    const country = stores.map((store) => canonicalCountry(store, text)).find((code) => code !== null);
    if (country) return country;
    context.addIssue({ code: 'custom', message: unknownCountry });
    return z.NEVER;
  });

const langField = z
  .string()
  .meta({
    description:
      'Language, BCP 47, in any letter case: a language, optionally with script and region. Tags with which the store is asked the same are one language: in US, en is en-US.',
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

/** store, country and lang, all required; spread them into a body or query and pass that to `inStorefront`. */
export const storefrontFields = { store: storeField, country: countryField, lang: langField };

/** The parts of a storefront that a request has. */
type SentStorefront = { store?: Store | undefined; country?: string | undefined; lang?: string | undefined };

/**
 * Checks that the store exists in the country, and gives language and search texts their canonical form: everything behind
 * sees one tag per language. For fields that have store, country and lang, or some of them; what was not sent is not
 * checked.
 */
export function inStorefront<Fields extends z.ZodObject>(fields: Fields): Fields {
  return fields.refine(isCountryOfStore, countryOfStoreOptions).overwrite((sent) => {
    const { store, country, lang }: SentStorefront = sent;
    if (store === undefined || country === undefined || lang === undefined) return sent;
    return { ...sent, ...normalTexts(sent, lang), lang: resolveLanguageAlias({ store, country, lang }).lang };
  });
}

/** Names of fields that are a `termField`, or a list of them. */
const termFieldNames = ['keyword', 'keywords', 'prefix', 'topic', 'term'];

function normalTexts(sent: Readonly<Record<string, unknown>>, lang: string): Record<string, unknown> {
  const normal = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(normal);
    return typeof value === 'string' && !isTooLong(value) ? normalizeKeyword(value, lang) : value;
  };
  const names = termFieldNames.filter((name) => name in sent);
  return Object.fromEntries(names.map((name) => [name, normal(sent[name])]));
}

function isCountryOfStore({ store, country }: SentStorefront): boolean {
  return store === undefined || country === undefined || canonicalCountry(store, country) !== null;
}

/** The check runs even when other fields are wrong, so that an answer names every wrong field. */
const countryOfStoreOptions = {
  path: ['country'],
  error: unknownCountry,
  when: ({ value }: { value: unknown }) => {
    const { store, country } = (value ?? {}) as { store?: unknown; country?: unknown };
    return typeof country === 'string' && typeof store === 'string' && isStore(store);
  },
};

/** A length in code points of the normal form, both ends included. */
type Limits = { min: number; max: number };

/** The replacement character of decoders. The pattern applies to the text as sent; it does not exclude surrogate halves. */
const termPattern = '^[^\\ufffd]*$';

/** The maximum length of a search text as sent, in code points: no spelling of a term needs as many. */
const maxSentLength = 4000;

/** Whether a text has more than `maxSentLength`, however it is counted: to find its normal form would only cost time. */
function isTooLong(text: string): boolean {
  return text.length > 2 * maxSentLength;
}

/**
 * A search text; `inStorefront` gives it its normal form, which depends on the language. The length limits apply to the normal
 * form, so that all spellings of one term are valid or none is. The document has the limit of the text as sent, which may be
 * longer or shorter. `findProblem` is the services' own rule, applied here before the call spends quota.
 */
function termField(
  limits: Limits,
  subject: string,
  example: string,
  findProblem: (normal: string) => string | null = () => null,
) {
  const { min, max } = limits;
  return z
    .string()
    .meta({
      description: `${subject} of ${min} to ${max} characters, counted in its normal form: in the lower case of the language, with single spaces and none at the ends, without invisible characters, Unicode NFKC. The text as sent may be shorter or longer.`,
      minLength: 1,
      maxLength: maxSentLength,
      pattern: termPattern,
      examples: [example],
    })
    .transform((text, context) => {
      const normal = isTooLong(text) ? text : normalizeKeyword(text);
      // Length and characters are checked first: what `findProblem` can still refuse is a text of private characters.
      const message =
        formProblem(text, normal, limits) ?? (findProblem(normal) && 'must contain a visible character');
      if (message !== null) context.addIssue({ code: 'custom', message });
      return text;
    });
}

/** Surrogate halves, and the replacement character of decoders. */
const broken = /[\p{Cs}\ufffd]/u;

function formProblem(text: string, normal: string, { min, max }: Limits): string | null {
  const length = countCharacters(normal);
  if (!isTooLong(text) && (length < min || length > max)) return `must have ${min} to ${max} characters`;
  if (countCharacters(text) > maxSentLength) return `must have at most ${maxSentLength} characters as sent`;
  return broken.test(normal) ? 'must not contain broken Unicode' : null;
}

/** A keyword of a list. One of private characters only is accepted here and gets its own error among the results. */
export const keywordField = termField(keywordLength, 'A search term', 'habit tracker');
/** A keyword that the call searches for, so one without a visible character is refused. */
export const searchedKeywordField = termField(
  keywordLength,
  'A search term',
  'habit tracker',
  keywordProblem,
);
export const prefixField = termField(prefixLength, 'The beginning of a search term', 'habit', prefixProblem);
export const topicField = termField(keywordLength, 'A topic', 'habit tracker', keywordProblem);
