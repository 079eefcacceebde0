/**
 * What a held term is worth: a searched word of gain 0.25 or more, rank 10 or better and traffic 20 or more is taken out of
 * each listing that aims at it, in all its forms. No axis may rise, and coverage or targeting must fall, both before rounding;
 * with a traffic of 50 or more and a global score of 30 or more, global must fall in 90 % of the cases. The listings are all
 * apps of the sample in one storefront of the App Store. Ends with 1 when a goal is missed.
 */
import { parseArgs } from 'node:util';
import { formatTable } from '@shelfwise/app/commands/format-table';
import { utcDay } from '@shelfwise/runtime/day';
import type { AuditInput, TermScore } from '@shelfwise/scoring/domain/audit/audit-input';
import { auditListing } from '@shelfwise/scoring/domain/audit/audit-listing';
import { exactCoverageOf } from '@shelfwise/scoring/domain/audit/coverage';
import { listingTerms } from '@shelfwise/scoring/domain/audit/listing-terms';
import { findNeighbors } from '@shelfwise/scoring/domain/audit/neighbors';
import { readListing } from '@shelfwise/scoring/domain/audit/read-listing';
import { findSuggestion } from '@shelfwise/scoring/domain/keyword/find-suggestion';
import type { ResultPage } from '@shelfwise/scoring/domain/keyword/keyword-reading';
import { scoreKeyword } from '@shelfwise/scoring/domain/keyword/score-keyword';
import { contextOf, textsOf } from '@shelfwise/scoring/domain/listing-context';
import { createFormOf } from '@shelfwise/scoring/domain/text/form-of';
import { storedApps, toPageApp } from '@shelfwise/scoring/measuring/read-page';
import type { Listing } from '@shelfwise/store-fetch/source';
import { createSampleCatalog } from '@shelfwise/store-fetch/sources/sample/catalog';

const { values } = parseArgs({
  options: {
    day: { type: 'string', default: '2026-11-21' },
    apps: { type: 'string', default: '100000' },
    details: { type: 'boolean', default: false },
    help: { type: 'boolean' },
  },
});
const now = new Date(`${values.day}T12:00:00Z`);
const maxApps = Number(values.apps);
if (values.help || Number.isNaN(now.getTime()) || !(maxApps >= 1)) {
  console.log(`Usage: npm run held-terms [-- --apps 300]

  --day DATE  a day of the sample (default 2026-11-21)
  --apps N    at most N apps, evenly spread
  --details   also each case in which an axis rises`);
  process.exit(values.help ? 0 : 2);
}

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const depth = 100;
const goal = 0.9;

const catalog = createSampleCatalog({ now: () => now });
const formOf = createFormOf(storefront.lang);
const known = new Map<string, TermScore>();

/** What taking a term out of a listing changes. */
type Case = {
  title: string;
  term: string;
  was: Exact;
  is: Exact;
  /** Its demand and the listing are high enough for the goal of the global score. */
  isCounted: boolean;
  isCostly: boolean;
};

/** The axes of words, not rounded. */
type Exact = { coverage: number; targeting: number };

/** Sums of the same numbers in another order may differ by less. */
const tolerance = 1e-9;
const hasRisen = ({ was, is }: Case) =>
  is.coverage > was.coverage + tolerance || is.targeting > was.targeting + tolerance;
const hasFallen = ({ was, is }: Case) => is.coverage < was.coverage || is.targeting < was.targeting;

await run();

async function run(): Promise<void> {
  const shown = catalog.apps('ITUNES').flatMap(({ appId }) => listingOf(appId) ?? []);
  const step = Math.max(1, shown.length / maxApps);
  const chosen = shown.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
  const cases: Case[] = [];
  for (const listing of chosen) cases.push(...(await casesOf(listing)));
  const counted = cases.filter(({ isCounted }) => isCounted);
  const costly = counted.filter(({ isCostly }) => isCostly);
  const risen = cases.filter(hasRisen);
  const fallen = cases.filter(hasFallen);
  const rows = [
    ['an axis rises', shareOf(risen, cases)],
    ['coverage or targeting falls', shareOf(fallen, cases)],
    ['global falls, of those with traffic 50 and global 30 or more', shareOf(costly, counted)],
  ];
  console.log(formatTable([`${cases.length} held terms of ${chosen.length} listings`, ''], rows));
  if (values.details) for (const one of risen) console.log(`  ${describe(one)}`);
  const isMet =
    risen.length === 0 && fallen.length === cases.length && costly.length >= goal * counted.length;
  if (!isMet) process.exitCode = 1;
}

function describe({ title, term, was, is }: Case): string {
  const change = (key: keyof Exact) => `${key} ${was[key].toFixed(1)} to ${is[key].toFixed(1)}`;
  return `${title}, ${term}: ${change('coverage')}, ${change('targeting')}`;
}

/** Null: not sold in the country, or not released yet. */
function listingOf(appId: string): Listing | null {
  try {
    return catalog.listing(storefront, appId);
  } catch {
    return null;
  }
}

async function casesOf(listing: Listing): Promise<Case[]> {
  const whole = await inputOf(listing, textsOf(listing));
  const neighbors = findNeighbors(listing.app_id, whole.terms, formOf);
  const before = { ...whole, neighbors };
  const { aimed } = readListing(before);
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
    const after = { ...(await inputOf(listing, without(textsOf(listing), term.form))), neighbors };
    const [was, is] = [exactOf(before), exactOf(after)];
    const [oldGlobal, newGlobal] = [globalOf(before), globalOf(after)];
    cases.push({
      title: listing.title ?? listing.app_id,
      term: term.name,
      was,
      is,
      isCounted: (term.traffic ?? 0) >= 50 && oldGlobal >= 30,
      isCostly: newGlobal < oldGlobal,
    });
  }
  return cases;
}

async function inputOf(listing: Listing, texts: AuditInput['texts']): Promise<AuditInput> {
  const terms = new Map<string, TermScore>();
  for (const { keyword } of listingTerms({ storefront, texts })) terms.set(keyword, await scoreOf(keyword));
  return {
    storefront,
    app_id: listing.app_id,
    texts,
    live_title: listing.title ?? null,
    live_description: textsOf(listing).description,
    developer_name: listing.developer_name ?? null,
    genre: listing.genre ?? null,
    genre_key: listing.genre_key ?? null,
    candidates: null,
    neighbors: null,
    form_ranks: new Map(),
    context: contextOf(storefront.store, listing, now, null),
    terms,
    now,
  };
}

async function scoreOf(keyword: string): Promise<TermScore> {
  const found = known.get(keyword);
  if (found) return found;
  const origin = { read_at: now, source: 'sample' };
  const apps = catalog.search(storefront, keyword, depth);
  const page: ResultPage = {
    ...origin,
    day: utcDay(now),
    size: apps.length,
    apps: apps.slice(0, storedApps).map(toPageApp),
    details_read_at: now,
  };
  const suggested = await findSuggestion(keyword, storefront.lang, async (prefix) =>
    catalog.suggest(storefront, prefix, 10),
  );
  const suggestion = suggested && { ...origin, ...suggested };
  const score = scoreKeyword({ storefront, keyword, reading: { page, suggestion, chart: null } }, now);
  const ids = apps.map((app) => app.app_id);
  const term = { ...score, page: { app_ids: ids, genres: score.genres ?? null } };
  known.set(keyword, term);
  return term;
}

/** The texts with a sign in place of each form of a word, so that its neighbors do not become a phrase. */
function without(texts: AuditInput['texts'], form: string): AuditInput['texts'] {
  const strip = (text: string | null) =>
    text?.replace(/[\p{L}\p{N}]+/gu, (word) => (formOf(word.toLowerCase()) === form ? '|' : word)) ?? null;
  const { title, subtitle, description, kw_field: kwField } = texts;
  return {
    title: strip(title),
    subtitle: strip(subtitle),
    description: strip(description),
    kw_field: strip(kwField),
  };
}

function exactOf(input: AuditInput): Exact {
  const { fields, amounts } = readListing(input);
  return { coverage: exactCoverageOf(storefront.store, fields), targeting: amounts?.score ?? 0 };
}

function globalOf(input: AuditInput): number {
  return auditListing(input).report.global;
}

function shareOf({ length: count }: readonly Case[], { length: total }: readonly Case[]): string {
  return `${count} of ${total}${total === 0 ? '' : `: ${((100 * count) / total).toFixed(1)} %`}`;
}
