import { dayMs } from '@shelfwise/runtime/day';
import type { TermScore } from '@shelfwise/scoring/domain/audit/audit-input';
import { findFormRanks } from '@shelfwise/scoring/domain/audit/axes/form-ranks';
import { findSuggestion } from '@shelfwise/scoring/domain/keyword/find-suggestion';
import {
  blankReading,
  type PageApp,
  type ResultPage,
} from '@shelfwise/scoring/domain/keyword/keyword-reading';
import type { Listing } from './choose-listings.ts';
import type { DeveloperOf } from './developers.ts';
import type { Scoring } from './scoring-under-test.ts';
import type { Search } from './search.ts';
import type { StoreApp } from './store-app.ts';
import type { Subtitles } from './subtitles.ts';

/** What a listing's scores are computed from. */
export type RecordedStore = {
  search: Search;
  suggest: (prefix: string) => Promise<string[]>;
  developerOf: DeveloperOf;
};

/** How much each subtitle changes the global score, -100 to 100; null: there is no such subtitle. */
export type Deltas = Record<keyof Subtitles, number | null>;

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const now = new Date('2026-11-26T00:00:00Z');
const source = 'recorded';
/** Nothing but the texts shall differ between two listings. */
const sameForAll = {
  installs: null,
  screenshots: 5,
  days_since_update: 40,
  age_months: 50,
  has_video: false,
  language_count: 5,
};

/** Audits a listing that is only its brand, and the same with each of the subtitles. */
export async function auditSubtitles(
  scoring: Scoring,
  store: RecordedStore,
  { listing, subtitles }: { listing: Listing; subtitles: Subtitles },
): Promise<Deltas> {
  const { app, brand } = listing;
  const appId = String(app.id);
  const known = new Map<string, TermScore>();

  function textsWith(subtitle: string) {
    return { title: brand, subtitle, description: app.description, kw_field: null };
  }

  async function termsWith(subtitle: string): Promise<Map<string, TermScore>> {
    const keywords = scoring.listingTerms({ storefront, texts: textsWith(subtitle) });
    const terms = new Map<string, TermScore>();
    for (const { keyword } of keywords) {
      const term = known.get(keyword) ?? (await scoreTerm(scoring, store, { listing, keyword }));
      known.set(keyword, term);
      terms.set(keyword, term);
    }
    return terms;
  }

  const formOf = scoring.createFormOf(storefront.lang);
  const bareTerms = await termsWith('');
  const neighbors = scoring.findNeighbors(appId, bareTerms, formOf);
  const formRanks = findFormRanks({ terms: bareTerms, candidates: null }, new Map(), appId, formOf);

  async function globalWith(subtitle: string): Promise<number> {
    const input = {
      storefront,
      app_id: appId,
      texts: textsWith(subtitle),
      live_title: brand,
      // From version 4 on.
      live_description: app.description,
      form_ranks: formRanks,
      developer_name: store.developerOf(app),
      genre: app.genre,
      genre_key: app.genre,
      candidates: null,
      sources: new Map(),
      tracked: new Map(),
      neighbors,
      context: { rating: app.score, rating_count: app.ratings, ...sameForAll },
      terms: await termsWith(subtitle),
      now,
    };
    return scoring.auditListing(input).report.global;
  }

  const bare = await globalWith('');
  const deltaOf = async (subtitle: string | null) =>
    subtitle === null ? null : (await globalWith(subtitle)) - bare;
  return {
    own: await deltaOf(subtitles.own),
    sameGenre: await deltaOf(subtitles.sameGenre),
    otherGenre: await deltaOf(subtitles.otherGenre),
    names: await deltaOf(subtitles.names),
  };
}

async function scoreTerm(
  scoring: Scoring,
  store: RecordedStore,
  { listing, keyword }: { listing: Listing; keyword: string },
): Promise<TermScore> {
  const found = store.search(keyword, listing);
  const suggested = await findSuggestion(keyword, storefront.lang, store.suggest);
  const page: ResultPage = {
    day: now.toISOString().slice(0, 10),
    read_at: now,
    source,
    size: found.length,
    apps: found.slice(0, 20).map((app) => pageApp(app, listing, store.developerOf)),
    details_read_at: now,
  };
  const suggestion = suggested && { read_at: now, source, ...suggested };
  const score = scoring.scoreKeyword(
    { storefront, keyword, reading: { ...blankReading, page, suggestion } },
    now,
  );
  const ids = found.map(({ id }) => String(id));
  return { ...score, page: { app_ids: ids, genres: score.genres ?? null } };
}

function pageApp(app: StoreApp, listing: Listing, developerOf: DeveloperOf): PageApp {
  return {
    app_id: String(app.id),
    title: app === listing.app ? listing.brand : app.title,
    developer_name: developerOf(app),
    icon: null,
    genre: app.genre,
    // Genres are only compared.
    genre_key: app.genre,
    rating: app.score,
    ratings: app.ratings,
    installs: null,
    updated_at: new Date(now.getTime() - ((app.id % 700) + 3) * dayMs),
  };
}
