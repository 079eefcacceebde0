import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { type AuditInput, type TermScore, unmeasured } from '@shelfwise/scoring/domain/audit/audit-input';
import { auditListing } from '@shelfwise/scoring/domain/audit/audit-listing';
import { exactCoverageOf } from '@shelfwise/scoring/domain/audit/axes/coverage';
import { lostShare, type TargetingAmounts } from '@shelfwise/scoring/domain/audit/axes/targeting';
import { readListing } from '@shelfwise/scoring/domain/audit/read-listing';
import { listingTerms } from '@shelfwise/scoring/domain/audit/words/listing-terms';
import { createFormOf } from '@shelfwise/scoring/domain/text/form-of';
import { readOptions } from './lib/options.ts';
import { createSampleAudits } from './lib/sample-audits.ts';

const values = readOptions(
  'npm run held-terms',
  `What a held term is worth: a searched word of gain 0.25 or more, rank 10 or better and traffic 20 or more is taken out of each
listing that aims at it, in all its forms. Coverage or targeting must fall, both before rounding. Neither may rise, but for the two
rules of targeting that want it. With a traffic of 50 or more and a global score of 30 or more, global must fall in 90 % of the cases.
The listings are all apps of the sample in one storefront of the App Store. Ends with 1 when a goal is missed.`,
  {
    day: ['2026-11-21', 'a day of the sample'],
    apps: [100_000, 'at most N apps, evenly spread', [1, 100_000]],
    details: [false, 'also each case in which an axis rises'],
  },
);
const now = new Date(`${values.day}T12:00:00Z`);
const { apps: maxApps } = values;

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const goal = 0.9;

const audits = createSampleAudits(now);
const formOf = createFormOf(storefront.lang);

const unsearched: TermScore = {
  ...unmeasured,
  traffic: 0,
  difficulty: 0,
  search_status: 'unsearched',
};

/** What taking a term out of a listing changes. */
type Case = {
  title: string;
  term: string;
  was: Exact;
  is: Exact;
  /** What the phrases with the term lose, in points of traffic. */
  lostInPhrases: number;
  /** Its demand and the listing are high enough for the goal of the global score. */
  isCounted: boolean;
  isCostly: boolean;
};

/** The axes of words, not rounded. */
type Exact = {
  coverage: number;
  targeting: number;
  /** What targeting is made from, as if the own brand had no limit, in points of traffic. */
  unlimited: number;
};

/** Sums of the same numbers in another order may differ by less. */
const tolerance = 1e-9;
const rises = (key: keyof Exact, { was, is }: Case) => is[key] > was[key] + tolerance;
const hasRisen = (one: Case) => rises('coverage', one) || rises('targeting', one);
const reasons = {
  brand: 'targeting rises because of the limit of the own brand',
  phrase: 'targeting rises because a phrase with the word costs',
} as const;

/**
 * Which rule of targeting makes a case rise; null: none.
 * - The own brand and the words of its phrases give at most 100. Without a word of these phrases the others are not under the
 *   limit any more: their amount rises, although what they bring without a limit falls.
 * - A phrase with the word that names a rival, or is not the app's business, is lost. It costs more than the word brings: without
 *   these costs nothing rises.
 */
function reasonOf(one: Case): keyof typeof reasons | null {
  const { was, is } = one;
  if (rises('coverage', one)) return null;
  if (!rises('unlimited', one)) return 'brand';
  return is.unlimited <= was.unlimited + lostShare * one.lostInPhrases + tolerance ? 'phrase' : null;
}

const hasFallen = ({ was, is }: Case) => is.coverage < was.coverage || is.targeting < was.targeting;

await run();

async function run(): Promise<void> {
  const shown = audits.catalog.apps('ITUNES').flatMap(({ appId }) => (isShown(appId) ? appId : []));
  const step = Math.max(1, shown.length / maxApps);
  const chosen = shown.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  const cases: Case[] = [];
  for (const appId of chosen) cases.push(...(await casesOf(appId)));
  const counted = cases.filter(({ isCounted }) => isCounted);
  const costly = counted.filter(({ isCostly }) => isCostly);
  const risen = cases.filter(hasRisen);
  const risenBy = (reason: ReturnType<typeof reasonOf>) => risen.filter((one) => reasonOf(one) === reason);
  const unexplained = risenBy(null);
  const fallen = cases.filter(hasFallen);
  const rows = [
    ['an axis rises', shareOf(unexplained, cases)],
    [reasons.brand, shareOf(risenBy('brand'), cases)],
    [reasons.phrase, shareOf(risenBy('phrase'), cases)],
    ['coverage or targeting falls', shareOf(fallen, cases)],
    ['global falls, of those with traffic 50 and global 30 or more', shareOf(costly, counted)],
  ];
  console.log(formatTable([`${cases.length} held terms of ${chosen.length} listings`, ''], rows));
  if (values.details) for (const one of risen) console.log(`  ${describe(one)}`);
  const isMet =
    unexplained.length === 0 && fallen.length === cases.length && costly.length >= goal * counted.length;
  if (!isMet) process.exitCode = 1;
}

function describe(one: Case): string {
  const { title, term, was, is } = one;
  const change = (key: keyof Exact) => `${key} ${was[key].toFixed(1)} to ${is[key].toFixed(1)}`;
  const reason = reasonOf(one);
  return `${title}, ${term}: ${change('coverage')}, ${change('targeting')}, ${change('unlimited')}, ${reason === null ? 'for no known reason' : reasons[reason]}`;
}

/** Whether the app is sold in the country, and released. */
function isShown(appId: string): boolean {
  try {
    audits.catalog.listing(storefront, appId);
    return true;
  } catch {
    return false;
  }
}

async function casesOf(appId: string): Promise<Case[]> {
  const before = await audits.inputOf(storefront, appId);
  const { aimed, amounts } = readListing(before);
  const held = aimed.filter(
    ({ words, searchStatus, gain, rank, traffic }) =>
      words.length === 1 &&
      searchStatus === 'searched' &&
      gain >= 0.25 &&
      rank !== null &&
      rank <= 10 &&
      (traffic ?? 0) >= 20,
  );
  const forms = new Map(held.map((term) => [term.form, term]));
  const cases: Case[] = [];
  for (const term of forms.values()) {
    const after = without(before, term.form);
    const [was, is] = [exactOf(before), exactOf(after)];
    const [oldGlobal, newGlobal] = [globalOf(before), globalOf(after)];
    cases.push({
      title: before.live_title ?? appId,
      term: term.name,
      was,
      is,
      lostInPhrases: aimed
        .filter(({ words }) => words.length > 1 && words.includes(term.form))
        .reduce((sum, { name }) => sum + (amounts?.terms.get(name)?.lost ?? 0), 0),
      isCounted: (term.traffic ?? 0) >= 50 && oldGlobal >= 30,
      isCostly: newGlobal < oldGlobal,
    });
  }
  return cases;
}

/**
 * The listing with a sign in place of each form of a word. The listing gets no further term by that: the words around it do not
 * become a phrase.
 */
function without(input: AuditInput, form: string): AuditInput {
  const strip = (text: string | null) =>
    text?.replace(/[\p{L}\p{N}]+/gu, (word) => (formOf(word.toLowerCase()) === form ? '|' : word)) ?? null;
  const { title, subtitle, description, kw_field: kwField } = input.texts;
  const texts = {
    title: strip(title),
    subtitle: strip(subtitle),
    description: strip(description),
    kw_field: strip(kwField),
  };
  const keywords = listingTerms({ storefront, texts }).map(({ keyword }) => keyword);
  const terms = keywords.map((keyword) => [keyword, input.terms.get(keyword) ?? unsearched] as const);
  return { ...input, texts, terms: new Map(terms) };
}

function exactOf(input: AuditInput): Exact {
  const { fields, amounts } = readListing(input);
  return {
    coverage: exactCoverageOf(storefront.store, fields),
    targeting: amounts?.score ?? 0,
    unlimited: amounts === null ? 0 : unlimitedOf(amounts),
  };
}

/** The terms have what they win before the limit of the own brand. */
function unlimitedOf({ terms, lost }: TargetingAmounts): number {
  return [...terms.values()].reduce((sum, { won }) => sum + won, 0) - lostShare * lost;
}

function globalOf(input: AuditInput): number {
  return auditListing(input).report.global;
}

function shareOf({ length: count }: readonly Case[], { length: total }: readonly Case[]): string {
  return `${count} of ${total}${total === 0 ? '' : `: ${((100 * count) / total).toFixed(1)} %`}`;
}
