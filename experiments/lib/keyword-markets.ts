import { countries } from '@shelfwise/facts/stores/country';
import type { KeywordToTrack } from '../../testing/system/seed-tracked-keywords.ts';
import { searchKey } from './counting-proxy.ts';

const kinds = 'photo,video,music,fitness,weather,travel,recipe,budget,language,sleep'.split(',');
const things = 'editor,tracker,planner,games,guide,player,timer,notes,maps,news'.split(',');

/**
 * Half of the keywords are in each store. Store, country and keyword are unique. The App Store has different words in
 * one country, Google Play one word in many countries, because the recorded pages contain these.
 */
export function chooseKeywordMarkets(count: number): KeywordToTrack[] {
  const words = things.flatMap((thing) => kinds.map((kind) => `${kind} ${thing}`));
  const half = Math.ceil(count / 2);
  const playCountries = [...countries.GPLAY];
  if (half > words.length || count - half > playCountries.length)
    throw new Error(`At most ${2 * Math.min(words.length, playCountries.length)} keywords.`);
  const appStore = words.slice(0, half).map((keyword) => ({
    store: 'ITUNES' as const,
    country: 'US',
    lang: 'en-US',
    app_id: '281796108',
    keyword,
  }));
  const googlePlay = playCountries.slice(0, count - half).map((country) => ({
    store: 'GPLAY' as const,
    country,
    lang: 'en',
    app_id: 'com.mojang.minecraftpe',
    keyword: 'panda',
  }));
  return [...appStore, ...googlePlay];
}

export function keywordMarketKey({
  store,
  country,
  keyword,
}: Omit<KeywordToTrack, 'app_id' | 'lang'>): string {
  return searchKey(store, country, keyword);
}

/**
 * The app ids on the store's result page, read without the product's clients. The patterns match the recorded pages.
 */
export async function searchStoreDirectly(store: string, keyword: KeywordToTrack): Promise<string[]> {
  const { country, lang, keyword: term } = keyword;
  if (keyword.store === 'ITUNES') {
    const query = new URLSearchParams({ term, country, entity: 'software', limit: '100' });
    const page = (await (await fetch(`${store}/search?${query}`)).json()) as {
      results: { trackId: number }[];
    };
    return unique(page.results.map(({ trackId }) => String(trackId)));
  }
  const query = new URLSearchParams({ q: term, c: 'apps', gl: country, hl: lang });
  const page = await (await fetch(`${store}/store/search?${query}`)).text();
  return unique([...page.matchAll(/\[\["([\w.]+)",7\]/g)].map(([, appId]) => appId ?? ''));
}

function unique(appIds: string[]): string[] {
  return [...new Set(appIds)].slice(0, 100);
}
