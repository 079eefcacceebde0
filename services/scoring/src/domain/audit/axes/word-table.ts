import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { isRead, isSearched, type SearchStatus } from '../../keyword/search-status.ts';
import { type AuditField, isAimed } from '../audit-field.ts';
import type { AuditInput, TermScore } from '../audit-input.ts';
import type { TermWords } from '../words/term-words.ts';
import { maxPhraseWords } from '../words/text-reader.ts';
import { createWordKinds, type WordKind } from '../words/word-kind.ts';
import type { RelevanceParts } from './relevance.ts';
import { type TermFit, takesLift } from './term-fit.ts';

/**
 * What a word does for its field. In any field:
 * - `earning`: it is searched, and the field is credited for it
 * - `irrelevant`: as `earning`, but it is not the app's business (gain 0), so it counts nothing
 * - `already-used`: an earlier field has it, searched or not, or it is credited in another spelling; in the keywords field
 *   also a searched word of the category or of the developer's name, by which the store finds the app anyway
 * - `not-searched`: people do not search for it, or it is a stop word
 * - `pending`: its result page is not read yet
 *
 * Instead of `earning`, in Google Play's long description:
 * - `extra-reach`: no other field has it, so the description is credited for it
 * - `covered`: an earlier field has it, and the description repeats it
 * - `missing`: an earlier field earns it, and the description does not have it
 */
export type WordStatus =
  | 'earning'
  | 'irrelevant'
  | 'already-used'
  | 'not-searched'
  | 'pending'
  | 'covered'
  | 'missing'
  | 'extra-reach';

/** A word in one field. */
export type WordRow = {
  /** normal form */
  name: string;
  /** What all its spellings have in common: without accents and the ending of a plural (`createFormOf`). */
  form: string;
  kind: WordKind;
  searchStatus: SearchStatus;
  /** 0 to 100; null: not measured. That of a `pending` word is from suggestions alone. */
  traffic: number | null;
  difficulty: number | null;
  /** How much the word by itself is the app's business, 0 to 1; null: unknown. */
  relevance: number | null;
  /** What the relevance is the best of; null: unknown. */
  parts: RelevanceParts | null;
  /** The app's best rank for the word and its forms, from 1; null: none, or not known. */
  rank: number | null;
  /**
   * How much of its traffic and its characters counts, 0 to 1: the best gain among the word and searched phrases that have it.
   * Such a phrase has up to 3 words, and the field has them all, in any order. The brand of a rival has only its own.
   */
  gain: number;
  /** In the keywords field: the store finds the app by the word anyway, so it earns nothing there. */
  isIndexedAnyway: boolean;
  /** The traffic was computed without the store's suggestions. */
  isPartial: boolean;
  /** It is not read because the store shows no results for it, which is not believed yet. */
  isUnproven: boolean;
  /** When traffic and difficulty were computed; null: not measured. */
  scoredAt: Date | null;
  /** how often the text has the word; null except in Google Play's long description */
  occurrences: number | null;
  status: WordStatus;
};

/** What the rows of words are read from. */
type WordSources = {
  termOf: (keyword: string) => TermScore | undefined;
  /** what a term is to the app */
  fitOf: (keyword: string) => TermFit;
  /** Whether the audit covers the word; other words are skipped. */
  isAudited: (word: string) => boolean;
  phrases: readonly GainingPhrase[];
};

/** A term that is added to a field. */
export type AddedTerm = {
  field: ListingFieldKey;
  words: readonly string[];
  /** Its words and phrases that the listing does not have. */
  parts: ReadonlyMap<string, TermScore>;
  /** what these are to the app if the field has them */
  fitOf: (keyword: string) => TermFit;
};

export type WordTables = {
  /** The words of each indexed field, each once, in the field's order. The long description's rows end with its `missing` words. */
  tables: ReadonlyMap<ListingFieldKey, WordRow[]>;
  /** The same if a field had a further term. Of a long description only the words that the term has, too, in any spelling. */
  tablesWith: (tried: AddedTerm) => ReadonlyMap<ListingFieldKey, WordRow[]>;
};

/**
 * The word tables of a listing. A word is credited to the first field that has it, in whatever spelling.
 * @param auditedTerms the terms that the audit covers (`listingTerms`)
 * @param fitOf what a term is to the app
 */
export function createWordTables(
  input: Pick<AuditInput, 'storefront' | 'developer_name' | 'genre' | 'terms'>,
  fields: readonly AuditField[],
  auditedTerms: ReadonlySet<string>,
  { fitOf, words: termWords }: { fitOf: (keyword: string) => TermFit; words: TermWords },
): WordTables {
  const { terms } = input;
  const counted: CountedField[] = fields
    .filter(({ isIndexed }) => isIndexed)
    .map((field) => countedField(field, countEach(termWords.wordsIn(field.readable)), termWords));
  const allWords = new Set(counted.flatMap(({ counts }) => [...counts.keys()]));
  const { formOf } = termWords;
  const kinds = createWordKinds({ ...input, words: termWords });
  const phrases = gainingPhrases(terms, allWords, termWords, fitOf);
  const sources: WordSources = {
    termOf: (keyword) => terms.get(keyword),
    fitOf,
    isAudited: (word) => auditedTerms.has(word),
    phrases,
  };
  return {
    tables: tabulate(counted, sources, { kinds, formOf }),
    tablesWith({ field: key, words, parts, fitOf: fitOfPart }) {
      const added = new Set(words.map(formOf));
      const triedFitOf = (keyword: string) =>
        (parts.has(keyword) || added.has(formOf(keyword)) ? fitOfPart : fitOf)(keyword);
      const tried = counted.flatMap((one) => {
        const { field, counts } = one;
        if (field.key === key)
          return countedField(field, new Map([...counts, ...countEach(words)]), termWords);
        if (isAimed(field)) return one;
        const same = [...counts].filter(([name]) => added.has(formOf(name)));
        return same.length > 0 ? { ...one, counts: new Map(same) } : [];
      });
      const triedSources: WordSources = {
        termOf: (keyword) => terms.get(keyword) ?? parts.get(keyword),
        fitOf: triedFitOf,
        isAudited: (word) => auditedTerms.has(word) || parts.has(word),
        phrases: [...phrases, ...gainingPhrases(parts, new Set(words), termWords, triedFitOf)],
      };
      return tabulate(tried, triedSources, { kinds, formOf });
    },
  };
}

/** `forms`: of all words of the field, also where only some are counted. */
type CountedField = { field: AuditField; counts: Counts; forms: ReadonlySet<string> };

function countedField(
  field: AuditField,
  counts: Counts,
  { formOf }: Pick<TermWords, 'formOf'>,
): CountedField {
  return { field, counts, forms: new Set([...counts.keys()].map(formOf)) };
}

function tabulate(
  counted: readonly CountedField[],
  { termOf, fitOf, isAudited, phrases }: WordSources,
  { kinds, formOf }: { kinds: ReturnType<typeof createWordKinds>; formOf: (word: string) => string },
): ReadonlyMap<ListingFieldKey, WordRow[]> {
  const earlier = createEarlierWords();
  const tables = new Map<ListingFieldKey, WordRow[]>();
  for (const { field, counts, forms } of counted) {
    const gainByForm = gainsIn(forms, phrases);
    const words = [...counts.keys()].flatMap((name) => {
      const term = termOf(name);
      const kind = kinds.kindOf(name, term);
      if (kind !== 'function' && !isAudited(name)) return [];
      const form = formOf(name);
      const fit = fitOf(name);
      const { relevance, parts, rank } = fit;
      const gain = takesLift(fit) ? Math.max(fit.gain, gainByForm.get(form) ?? 0) : fit.gain;
      const isIndexedAnyway = field.key === 'kw_field' && kinds.isIndexedAnyway(name);
      const word = { name, form, kind, relevance, parts, rank, gain, isIndexedAnyway };
      return [readWord(word, term)];
    });
    const rows = isAimed(field)
      ? toRows(words, (word, credited) => ({
          occurrences: null,
          status: aimedStatus(word, credited, earlier),
        }))
      : describedRows(words, counts, earlier);
    earlier.add(rows);
    tables.set(field.key, rows);
  }
  return tables;
}

/** Whether the field is credited for this word. */
export function isEarning({ status }: WordRow): boolean {
  return status === 'earning' || status === 'extra-reach';
}

/** What an earning word counts, in points of traffic: `traffic * gain`. */
export function countsOf({ traffic, gain }: Pick<WordRow, 'traffic' | 'gain'>): number {
  return (traffic ?? 0) * gain;
}

/** Whether the field itself has the word, and the store could be asked for it. */
export function isOwnWord({ kind, status }: WordRow): boolean {
  return kind !== 'function' && status !== 'missing';
}

type GainingPhrase = { forms: readonly string[]; gain: number };

/** The searched phrases among some terms, by their words. @param words single ones, which are no phrases */
function gainingPhrases(
  terms: ReadonlyMap<string, TermScore>,
  words: ReadonlySet<string>,
  { formsIn }: Pick<TermWords, 'formsIn'>,
  fitOf: (keyword: string) => TermFit,
): GainingPhrase[] {
  return [...terms].flatMap(([keyword, { search_status: searchStatus }]) => {
    // Segmenting a term costs more than all else.
    if (searchStatus !== 'searched' || words.has(keyword)) return [];
    const forms = formsIn(keyword);
    return forms.length > 1 && forms.length <= maxPhraseWords ? [{ forms, gain: fitOf(keyword).gain }] : [];
  });
}

/** By form: the best gain of a phrase that has the word and whose words a field has. */
function gainsIn(forms: ReadonlySet<string>, phrases: readonly GainingPhrase[]): Map<string, number> {
  const gains = new Map<string, number>();
  for (const phrase of phrases)
    if (phrase.forms.every((form) => forms.has(form)))
      for (const form of phrase.forms) gains.set(form, Math.max(phrase.gain, gains.get(form) ?? 0));
  return gains;
}

type ReadWord = Omit<WordRow, 'occurrences' | 'status'>;

const unknown = { traffic: null, difficulty: null, isPartial: false, isUnproven: false, scoredAt: null };

function readWord(
  word: Omit<ReadWord, 'searchStatus' | 'traffic' | 'difficulty' | 'isPartial' | 'isUnproven' | 'scoredAt'>,
  term: TermScore | undefined,
): ReadWord {
  if (word.kind === 'function') return { ...word, ...unknown, searchStatus: 'unsearched' };
  if (term === undefined) return { ...word, ...unknown, searchStatus: 'pending' };
  const { traffic, difficulty, search_status: searchStatus } = term;
  const scoredAt = term.scored_at ?? null;
  const isUnproven = term.is_unproven === true && !isRead({ searchStatus });
  return { ...word, searchStatus, traffic, difficulty, isPartial: term.is_partial, isUnproven, scoredAt };
}

/** What the fields so far have: the first row of each word, and the forms that one of them is credited for. */
function createEarlierWords() {
  const rows = new Map<string, WordRow>();
  const creditedForms = new Set<string>();
  const earningForms = new Set<string>();
  return {
    rows,
    has: ({ name, form }: ReadWord) => rows.has(name) || creditedForms.has(form),
    earns: ({ form }: ReadWord) => earningForms.has(form),
    add(added: readonly WordRow[]) {
      for (const row of added) {
        if (!rows.has(row.name)) rows.set(row.name, row);
        if (isEarning(row)) earningForms.add(row.form);
        if (isEarning(row) || row.status === 'irrelevant') creditedForms.add(row.form);
      }
    },
  };
}

type EarlierWords = ReturnType<typeof createEarlierWords>;

/** Whether the word earns, or may turn out to earn, where it is first used. */
function canEarn({ kind, searchStatus, isIndexedAnyway }: ReadWord): boolean {
  return kind !== 'function' && !isIndexedAnyway && searchStatus !== 'unsearched';
}

/**
 * By form: of several spellings in a field, the one that it is credited for. It counts most, so that the order of the words
 * does not matter.
 */
function creditedSpellings(words: readonly ReadWord[]): Map<string, ReadWord> {
  const credited = new Map<string, ReadWord>();
  for (const word of words) {
    if (!canEarn(word)) continue;
    const other = credited.get(word.form);
    if (other === undefined || countsMore(word, other)) credited.set(word.form, word);
  }
  return credited;
}

/** What is read counts more than what is not; ties go to the longer spelling, then to the first normal form. */
function countsMore(word: ReadWord, other: ReadWord): boolean {
  const worth = (one: ReadWord) => (isRead(one) ? countsOf(one) : -1);
  const order = worth(word) - worth(other) || word.name.length - other.name.length;
  return order === 0 ? word.name < other.name : order > 0;
}

function toRows(
  words: readonly ReadWord[],
  describe: (word: ReadWord, isCredited: boolean) => Pick<WordRow, 'occurrences' | 'status'>,
): WordRow[] {
  const credited = creditedSpellings(words);
  return words.map((word) => ({ ...word, ...describe(word, (credited.get(word.form) ?? word) === word) }));
}

function aimedStatus(word: ReadWord, isCredited: boolean, earlier: EarlierWords): WordStatus {
  if (word.kind !== 'function' && earlier.has(word)) return 'already-used';
  if (!canEarn(word)) return idleStatus(word);
  if (!isCredited) return 'already-used';
  if (!isRead(word)) return 'pending';
  return word.gain > 0 ? 'earning' : 'irrelevant';
}

/** The status of a word that earns nothing. */
function idleStatus({ kind, searchStatus }: ReadWord): WordStatus {
  return kind !== 'function' && isSearched({ searchStatus }) ? 'already-used' : 'not-searched';
}

/** The rows of the long description. */
function describedRows(words: readonly ReadWord[], counts: Counts, earlier: EarlierWords): WordRow[] {
  const rows = toRows(words, (word, isCredited) => ({
    occurrences: counts.get(word.name) ?? 0,
    status: describedStatus(word, isCredited, earlier),
  }));
  const forms = new Set(words.map(({ form }) => form));
  const missing = [...earlier.rows.values()].filter((row) => isEarning(row) && !forms.has(row.form));
  return [...rows, ...missing.map((row) => ({ ...row, occurrences: 0, status: 'missing' as const }))];
}

function describedStatus(word: ReadWord, isCredited: boolean, earlier: EarlierWords): WordStatus {
  if (!canEarn(word)) return idleStatus(word);
  if (!isRead(word)) return 'pending';
  if (earlier.has(word)) return earlier.earns(word) ? 'covered' : 'already-used';
  if (!isCredited) return 'already-used';
  return word.gain > 0 ? 'extra-reach' : 'irrelevant';
}

type Counts = ReadonlyMap<string, number>;

function countEach(words: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
