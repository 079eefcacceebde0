import type { Listing, ReadOptions, StoreSource } from '../src/source.ts';

/** A live source with scripted answers; it records its requests. */
export function createScriptedSource(now: () => Date) {
  const requested: string[] = [];
  const options: ReadOptions[] = [];
  const answers = {
    rows: 250,
    score: 4.5 as number | null,
    terms: (_prefix: string): string[] | null => ['habit tracker'],
    /** By id; an Error becomes the app's outcome. */
    listing: (appId: string, _withSubtitle: boolean): Listing | Error => listing({ app_id: appId }),
    /** Every read waits for this promise. */
    until: Promise.resolve() as Promise<unknown>,
  };

  async function read<Answer>(what: string, given: ReadOptions, answer: () => Answer) {
    requested.push(what);
    options.push(given);
    const readAt = now();
    await answers.until;
    return { readAt, source: 'app-store' as const, ...answer() };
  }

  const listingOf = (appId: string, withSubtitle: boolean) => {
    const found = answers.listing(appId, withSubtitle);
    if (found instanceof Error) throw found;
    return { listing: withSubtitle ? found : { ...found, subtitle: null } };
  };
  const row = (i: number) => ({
    app_id: `${1000 + i}`,
    title: `App ${i}`,
    icon: `https://example.com/${i}.png`,
    developer_name: 'Dev',
    genre: 'Productivity',
    genre_key: '6007',
    score: answers.score,
    ratings: 10,
    price: 0,
    currency: 'USD',
    updated_at: new Date('2026-02-20T08:00:00Z'),
  });

  const source: StoreSource = {
    search: (_storefront, term, given) =>
      read(`search ${term} ${given.limit}`, given, () => ({
        apps: Array.from({ length: Math.min(given.limit, answers.rows) }, (_, i) => row(i)),
        isSuspect: false,
      })),
    getListing: (_storefront, appId, given) =>
      read(`listing ${appId} ${given.withSubtitle}`, given, () => listingOf(appId, given.withSubtitle)),
    getListings: async (_storefront, appIds, given) => {
      const results = appIds.map((appId) => async () => {
        try {
          return {
            appId,
            outcome: { readAt, source: 'app-store' as const, ...listingOf(appId, given.withSubtitle) },
          };
        } catch (error) {
          return { appId, outcome: error as never };
        }
      });
      const { readAt } = await read(`listings ${appIds.join(',')} ${given.withSubtitle}`, given, () => ({}));
      return Promise.all(results.map((result) => result()));
    },
    suggest: (_storefront, prefix, given) =>
      read(`suggest ${prefix}`, given, () => ({ terms: answers.terms(prefix), isUncertain: false })),
    chart: (_storefront, { category, collection, limit }, given) =>
      read(`chart ${category} ${collection} ${limit}`, given, () => ({
        apps: Array.from({ length: Math.min(limit, answers.rows) }, (_, i) => row(i)),
      })),
    icon: async (_store, appId) => {
      requested.push(`icon ${appId}`);
      return { image: Buffer.from('icon'), type: 'image/png' };
    },
  };
  return { source, requested, options, answers };
}

export function listing(given: Partial<Listing>): Listing {
  return {
    app_id: '1001',
    bundle_id: `com.example.${given.app_id ?? '1001'}`,
    title: 'Habits',
    subtitle: 'Every day',
    description: 'Keeps habits.',
    url: 'https://example.com/1001',
    icon: 'https://example.com/1001.png',
    screenshots: ['https://example.com/1.png'],
    developer_name: 'Dev',
    genre: 'Productivity',
    genre_key: '6007',
    version: '1.0',
    score: 4.5,
    ratings: 12,
    price: 0,
    currency: 'USD',
    installs: null,
    languages: ['en'],
    has_video: null,
    released_at: new Date('2024-01-02T00:00:00Z'),
    updated_at: null,
    unreadable: [],
    ...given,
  };
}
