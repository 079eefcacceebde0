import { createBrands } from './brands.ts';
import { sampleContent } from './content.ts';

const { topics } = sampleContent();
const brands = createBrands(topics);

test('sub-topics add brands and rename none', () => {
  const names = createBrands(topics.map((topic) => ({ ...topic, subtopics: [] }))).map(({ name }) => name);
  expect(brands.slice(0, names.length).map(({ name }) => name)).toEqual(names);
  expect(brands.length).toBeGreaterThan(names.length);
});

test('the first brands of a topic are generalists, and each sub-topic has several specialists and two leaders', () => {
  for (const topic of topics) {
    const own = brands.filter((brand) => brand.topic === topic);
    expect(own.map(({ rank }) => rank)).toEqual(own.map((_, index) => index));
    expect(own.slice(0, 6).every(({ subtopic }) => subtopic === null)).toBe(true);
    for (const subtopic of topic.subtopics) {
      const specialists = own.filter((brand) => brand.subtopic === subtopic);
      expect(specialists.length).toBeGreaterThanOrEqual(8);
      expect(specialists.filter(({ isLeader }) => isLeader)).toHaveLength(2);
    }
  }
});

test('the leader of a topic has more ratings than the specialists', () => {
  for (const topic of topics) {
    const [first, ...others] = brands.filter((brand) => brand.topic === topic);
    const specialists = others.filter(({ subtopic }) => subtopic !== null);
    expect(Math.max(-Infinity, ...specialists.map(({ popularity }) => popularity))).toBeLessThan(
      first?.popularity ?? 0,
    );
  }
});
