import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { chooseCandidates } from '@shelfwise/scoring/domain/audit/advice/choose-candidates';
import type { AuditInput, ListingTexts, TermScore } from '@shelfwise/scoring/domain/audit/audit-input';
import { findFormRanks } from '@shelfwise/scoring/domain/audit/axes/form-ranks';
import { findNeighbors } from '@shelfwise/scoring/domain/audit/axes/neighbors';
import { relevantTerms } from '@shelfwise/scoring/domain/audit/axes/relevant-terms';
import { rankOn } from '@shelfwise/scoring/domain/audit/axes/term-page';
import { describedPhrases, wordsToLookUp } from '@shelfwise/scoring/domain/audit/words/described-phrases';
import { listingTerms } from '@shelfwise/scoring/domain/audit/words/listing-terms';
import { titlePhrases } from '@shelfwise/scoring/domain/audit/words/title-phrases';
import { findSuggestion } from '@shelfwise/scoring/domain/keyword/find-suggestion';
import {
  blankReading,
  type PageApp,
  type ResultPage,
} from '@shelfwise/scoring/domain/keyword/keyword-reading';
import { scoreKeyword } from '@shelfwise/scoring/domain/keyword/score-keyword';
import { contextOf, textsOf } from '@shelfwise/scoring/domain/listing-context';
import { createFormOf } from '@shelfwise/scoring/domain/text/form-of';
import { createSampleCatalog } from '@shelfwise/store-fetch/sources/sample/catalog';

const depth = 100;
const storedApps = 20;
const termsForTitles = 20;
const deepestRank = 30;

type ReadTerm = TermScore & { apps: readonly PageApp[] };

/** Audits of the sample's apps, as if every term was read today. @param createCatalog a new one when absent */
export function createSampleAudits(now: Date, createCatalog = createSampleCatalog) {
  const catalog = createCatalog({ now: () => now });
  const readings = new Map<string, ReadTerm>();

  async function readTerm(storefront: Storefront, keyword: string): Promise<ReadTerm> {
    const key = `${storefront.store}/${storefront.country}/${storefront.lang}/${keyword}`;
    const known = readings.get(key);
    if (known) return known;
    const found = catalog.search(storefront, keyword, depth);
    const page: ResultPage = {
      day: utcDay(now),
      read_at: now,
      source: 'sample',
      size: found.length,
      apps: found.slice(0, storedApps).map(({ app_id: appId }) => {
        const { title, developer_name, icon, genre, genre_key, score, ratings, installs, updated_at } =
          catalog.listing(storefront, appId);
        const shown = { title, developer_name, icon, genre, genre_key, ratings, installs, updated_at };
        return { ...shown, app_id: appId, rating: score };
      }),
      details_read_at: now,
    };
    const suggest = async (prefix: string) => catalog.suggest(storefront, prefix, 10);
    const suggestion = await findSuggestion(keyword, storefront.lang, suggest);
    const read = suggestion && { read_at: now, source: 'sample', ...suggestion };
    const score = scoreKeyword(
      { storefront, keyword, reading: { ...blankReading, page, suggestion: read } },
      now,
    );
    const ids = found.map(({ app_id: id }) => id);
    const term = { ...score, page: { app_ids: ids, genres: score.genres }, apps: page.apps };
    readings.set(key, term);
    return term;
  }

  async function readTerms(
    storefront: Storefront,
    keywords: readonly string[],
  ): Promise<Map<string, ReadTerm>> {
    const terms = new Map<string, ReadTerm>();
    for (const keyword of keywords) terms.set(keyword, await readTerm(storefront, keyword));
    return terms;
  }

  /** @param kwField of an account that keeps it; null: none */
  async function inputOf(storefront: Storefront, appId: string, kwField: string | null = null) {
    const listing = catalog.listing(storefront, appId);
    const texts = { ...textsOf(listing), kw_field: kwField };
    const keywords = listingTerms({ storefront, texts }).map(({ keyword }) => keyword);
    const terms = await readTerms(storefront, keywords);
    const formOf = createFormOf(storefront.lang);
    return {
      storefront,
      app_id: appId,
      texts,
      live_title: listing.title,
      live_description: listing.description,
      developer_name: listing.developer_name,
      genre: listing.genre,
      genre_key: listing.genre_key,
      candidates: null,
      sources: new Map(),
      tracked: new Map(),
      neighbors: findNeighbors(appId, terms, formOf),
      form_ranks: findFormRanks({ terms, candidates: null }, new Map(), appId, formOf),
      context: contextOf(storefront.store, listing, now),
      terms,
      now,
    };
  }

  return {
    catalog,
    readTerms,
    inputOf,

    /** As `inputOf`, with the words that the listing might add. */
    async inputWithAdvice(
      storefront: Storefront,
      appId: string,
      kwField: string | null = null,
    ): Promise<AuditInput> {
      const input = await inputOf(storefront, appId, kwField);
      const { terms } = input;
      const own = [...terms.keys()];
      const { lang } = storefront;
      const relevant = relevantTerms(input).slice(0, termsForTitles);
      const apps = relevant.flatMap((keyword) => terms.get(keyword)?.apps.slice(0, 10) ?? []);
      const described = { storefront, description: input.live_description };
      const suggestions = wordsToLookUp(described).flatMap((word) => catalog.suggest(storefront, word, 10));
      const prefix = `${storefront.store}/${storefront.country}/${lang}/`;
      const pages = [...readings].flatMap(([key, { page, search_status: status, brand }]) => {
        const rank = page && rankOn(page, appId);
        const isFound = rank !== null && rank <= deepestRank && status === 'searched' && brand === null;
        return isFound && key.startsWith(prefix) ? [key.slice(prefix.length)] : [];
      });
      const isOwn = new Set(own);
      const found = {
        description: describedPhrases(described, suggestions).filter((keyword) => !isOwn.has(keyword)),
        titles: titlePhrases(apps, { ...input, ownTerms: isOwn }),
        pages: pages.filter((keyword) => !isOwn.has(keyword)).sort(),
      };
      const chosen = chooseCandidates(found, lang, {
        isMeasured: (keyword) => isOwn.has(keyword),
        isKnown: () => false,
        requested: new Set(),
      });
      const candidates = await readTerms(storefront, chosen.terms);
      return {
        ...input,
        form_ranks: findFormRanks({ terms, candidates }, new Map(), appId, createFormOf(lang)),
        candidates,
        sources: new Map(chosen.sources.map(({ keyword, source }) => [keyword, source])),
      };
    },

    /** The same listing with other texts, as a draft. */
    async draftOf(input: AuditInput, texts: Partial<ListingTexts>): Promise<AuditInput> {
      const drafted = { ...input, texts: { ...input.texts, ...texts } };
      const keywords = listingTerms(drafted).map(({ keyword }) => keyword);
      return { ...drafted, terms: await readTerms(input.storefront, keywords) };
    },
  };
}
