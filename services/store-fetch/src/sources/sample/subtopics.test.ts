import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { shareSampleCatalog } from '../../../test/share-sample-catalog.ts';
import { sampleContent } from './content.ts';
import type { Subtopic, Topic } from './content-schema.ts';

const us: Storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
const catalog = shareSampleCatalog({ now: () => new Date('2026-11-21T12:00:00Z') });
const topics = sampleContent().topics.filter(({ subtopics }) => subtopics.length > 0);
const apps = new Map(catalog.apps('ITUNES').map((app) => [app.appId, app]));

test.each(topics.map((topic) => [topic.noun, topic] as const))(
  'the pages of the sub-topics of %s differ, and each is mostly about its own',
  (_noun, topic) => {
    const { subtopics } = topic;
    const specialized = subtopics.map((subtopic) => countSpecialists(subtopic));
    expect(mean(specialized)).toBeGreaterThanOrEqual(4.5);
    expect(Math.min(...specialized)).toBeGreaterThanOrEqual(2);
    const within = subtopics.map(({ terms: { en } }) => countShared(en[0], en[1]));
    const between = subtopics.flatMap(({ terms: { en } }, at) =>
      subtopics.slice(at + 1).map((other) => countShared(en[0], other.terms.en[0])),
    );
    expect(mean(between)).toBeLessThan(3);
    expect(mean(within)).toBeGreaterThan(mean(between) + 1.5);
  },
);

test('the page of a topic shows generalists and specialists, and apps of each of its sub-topics in the first fifty', () => {
  for (const topic of topics) {
    const page = pageOf(topic.terms.en[0], 50);
    const brands = page.slice(0, 10).flatMap((appId) => apps.get(appId)?.brand ?? []);
    const own = brands.filter((brand) => brand.topic === topic);
    expect([topic.noun, own.some(({ subtopic }) => subtopic === null)]).toEqual([topic.noun, true]);
    expect([topic.noun, own.some(({ subtopic }) => subtopic !== null)]).toEqual([topic.noun, true]);
    for (const { terms } of topic.subtopics) {
      const shared = pageOf(terms.en[0], 10).filter((appId) => page.includes(appId));
      expect([terms.en[0], shared.length >= 2]).toEqual([terms.en[0], true]);
    }
  }
});

test('each sub-topic has a term that is suggested before all of it is typed', () => {
  const isSuggestedEarly = (term: string) => catalog.suggest(us, term.slice(0, -2), 10).includes(term);
  for (const [topic, subtopic] of subtopicsOf(topics)) {
    const found = subtopic.terms.en.some(isSuggestedEarly);
    expect([topic.noun, subtopic.terms.en, found]).toEqual([topic.noun, subtopic.terms.en, true]);
  }
});

test.each(['workout', 'sleep sounds', 'dating', 'invoices'])(
  '%s is completed to searches with a specific purpose',
  (topic) => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz'];
    const found = new Set(letters.flatMap((letter) => catalog.suggest(us, `${topic} ${letter}`, 10)));
    expect(found.size).toBeGreaterThanOrEqual(5);
  },
);

test('a specialist names its sub-topic in its texts', () => {
  const specialists = [...apps.values()].filter(
    ({ brand }) => brand.subtopic?.terms.en[0] === 'sleep meditation',
  );
  const listings = specialists.flatMap(({ appId }) => listingOf(appId) ?? []);
  expect(listings.length).toBeGreaterThanOrEqual(3);
  const inTitles = listings.filter(({ title }) => /sleep|bedtime/i.test(title ?? ''));
  expect(inTitles.length).toBeGreaterThan(listings.length / 2);
  for (const { description } of listings)
    expect(description).toContain('Long, slow sessions for the night that end without a sound.');
});

function subtopicsOf(topics: readonly Topic[]): [Topic, Subtopic][] {
  return topics.flatMap((topic) => topic.subtopics.map((subtopic): [Topic, Subtopic] => [topic, subtopic]));
}

/** How many of the first ten apps of the sub-topic's first term specialize in it. */
function countSpecialists(subtopic: Subtopic): number {
  const page = pageOf(subtopic.terms.en[0], 10);
  return page.filter((appId) => apps.get(appId)?.brand.subtopic === subtopic).length;
}

function countShared(one = '', other = ''): number {
  const page = pageOf(one, 10);
  return pageOf(other, 10).filter((appId) => page.includes(appId)).length;
}

function pageOf(term = '', limit: number): string[] {
  return catalog.search(us, term, limit).map((app) => app.app_id);
}

function listingOf(appId: string) {
  try {
    return catalog.listing(us, appId);
  } catch {
    return null;
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
