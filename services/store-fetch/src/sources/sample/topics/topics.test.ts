import { categories, isCategory } from '@shelfwise/facts/stores/categories';
import { termsOf, writtenLanguages } from '../topic.ts';
import { topics } from './topics.ts';

test.each(topics.map((topic) => [topic.noun, topic] as const))('the topic "%s" is complete', (_, topic) => {
  expect(isCategory('ITUNES', topic.genre) && isCategory('GPLAY', topic.category)).toBe(true);
  for (const language of writtenLanguages) {
    const terms = termsOf(topic, language);
    expect(terms.length).toBeGreaterThanOrEqual(3);
    expect(new Set(terms).size).toBe(terms.length);
    expect(terms.every((term) => term === term.trim() && term !== '')).toBe(true);
  }
  for (const tagline of topic.taglines) expect(tagline.length).toBeLessThanOrEqual(30);
  for (const feature of topic.features) expect(feature).toMatch(/^[A-Z].*\.$/);
  expect(topic.taglines.length).toBeGreaterThanOrEqual(2);
  expect(topic.features.length).toBeGreaterThanOrEqual(3);
});

test('every topic has a unique name, and most categories of both stores have a topic', () => {
  expect(new Set(topics.map(({ noun }) => noun)).size).toBe(topics.length);
  expect(new Set(topics.map(({ genre }) => genre)).size).toBeGreaterThanOrEqual(categories.ITUNES.length - 2);
  expect(new Set(topics.map(({ category }) => category)).size).toBeGreaterThanOrEqual(
    categories.GPLAY.length - 3,
  );
});
