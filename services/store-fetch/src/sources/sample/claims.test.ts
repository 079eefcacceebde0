import { shareSampleCatalog } from '../../../test/share-sample-catalog.ts';
import type { SampleApp } from './apps.ts';
import { appClaims, closings, gameClaims } from './claims.ts';
import { sampleContent } from './content.ts';
import { isGame } from './topic.ts';
import type { WrittenLanguage } from './written-language.ts';

const { topics, languages } = sampleContent();
const catalog = shareSampleCatalog({ now: () => new Date('2026-11-21T12:00:00Z') });
const storefronts = [
  ['en', 'US', 'en-US'],
  ['de', 'DE', 'de-DE'],
  ['fr', 'FR', 'fr-FR'],
  ['es', 'ES', 'es-ES'],
  ['pt', 'BR', 'pt-BR'],
  ['ja', 'JP', 'ja-JP'],
] as const;

type ChartedApp = { app: SampleApp; description: string };
const read = new Map<string, ChartedApp[]>();

/** The charted apps of a storefront with their descriptions. */
function chartedApps(country: string, lang: string): ChartedApp[] {
  const known = read.get(country) ?? readChartedApps(country, lang);
  read.set(country, known);
  return known;
}

function readChartedApps(country: string, lang: string): ChartedApp[] {
  const storefront = { store: 'ITUNES', country, lang } as const;
  const apps = new Map(catalog.apps('ITUNES').map((app) => [app.appId, app]));
  const categoriesShown = new Set(topics.map(({ genre }) => genre));
  return [...categoriesShown].flatMap((category) =>
    (['free', 'paid'] as const).flatMap((collection) =>
      catalog.chart(storefront, { category, collection, limit: 100 }).map(({ app_id: appId }) => {
        const app = apps.get(appId);
        if (!app) throw new Error(`${appId} is charted but not in the catalog`);
        return { app, description: catalog.listing(storefront, appId).description ?? '' };
      }),
    ),
  );
}

function sentencesOf(language: WrittenLanguage): Readonly<Record<string, string>> {
  const { claims, gameClaims, closings } = languages[language];
  return { ...claims, ...gameClaims, ...closings };
}

test.each(storefronts)(
  'no description in "%s" contains a claim that does not fit its topic',
  (language, country, lang) => {
    const apps = chartedApps(country, lang);
    const sentences = sentencesOf(language);
    const wrong = apps.flatMap(({ app: { appId, brand }, description }) =>
      brand.topic.excludedClaims
        .filter((claim) => description.includes(sentences[claim]?.split('{')[0] || '-'))
        .map((claim) => [appId, brand.topic.noun, claim]),
    );
    expect(apps.length).toBeGreaterThan(500);
    expect(wrong).toEqual([]);
  },
);

test.each(['VPN', 'dating app', 'food delivery app', 'messenger'])(
  'a %s never claims to work offline or without an account',
  (noun) => {
    const descriptions = chartedApps('US', 'en-US')
      .filter(({ app }) => app.brand.topic.noun === noun)
      .map(({ description }) => description);
    expect(descriptions.length).toBeGreaterThan(5);
    for (const description of descriptions) expect(description).not.toMatch(/offline|No account is needed/);
  },
);

test('an app with a price does not call its basic version free', () => {
  const paid = chartedApps('US', 'en-US').filter(({ app }) => app.price > 0);
  expect(paid.length).toBeGreaterThan(100);
  for (const { description } of paid) expect(description).not.toContain(languages.en.closings.subscription);
});

test('every topic allows at least four claims and excludes only claims that its apps would make', () => {
  for (const topic of topics) {
    const made: readonly string[] = isGame(topic) ? gameClaims : appClaims;
    const excludedClaims: readonly string[] = topic.excludedClaims;
    const left = made.filter((claim) => !excludedClaims.includes(claim));
    expect([topic.noun, left.length >= 4]).toEqual([topic.noun, true]);
    const possible = [...made, ...closings];
    expect(excludedClaims.filter((claim) => !possible.includes(claim))).toEqual([]);
  }
});
