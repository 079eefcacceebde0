import { buildNicheTerm, daysAgo, now } from '../../test/build-niche-term.ts';
import { readRecordedTopic } from '../../test/read-recorded-topic.ts';
import { findNiches } from './find-niches.ts';
import type { NicheApp, NicheTerm } from './niche-term.ts';

const context = { store: 'ITUNES', lang: 'en-US', now } as const;

function analyze(name: string) {
  const { terms, topicContext } = readRecordedTopic(name);
  return findNiches(terms, context, topicContext);
}

const keywordsOf = (niches: ReturnType<typeof analyze>) =>
  niches.flatMap(({ keywords }) => keywords.map(({ name }) => name));

test('meditation separates into niches instead of one with all keywords', () => {
  const niches = analyze('meditation');
  expect(niches.length).toBeGreaterThanOrEqual(3);
  expect(niches.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['meditation', 'guided meditation', 'meditation for sleep']),
  );
});

test('every keyword of meditation is about meditation: sleep tracker, which leads to the same pages, is not', () => {
  const keywords = keywordsOf(analyze('meditation'));
  expect(keywords).toContain('guided meditation');
  expect(keywords).not.toContain('sleep tracker');
});

test('dating app is not about a note taking app for students, although the store shows the same apps for both', () => {
  expect(keywordsOf(analyze('note-taking-app-for-students'))).toEqual(['note taking']);
});

test('police scanner is not about a qr code scanner', () => {
  const keywords = keywordsOf(analyze('qr-code-scanner'));
  expect(keywords.sort()).toEqual(['qr code', 'qr code reader', 'qr code scanner', 'qr reader']);
});

test('a niche whose leaders leave a gap is worth more than one of like demand whose leaders leave none', () => {
  const { terms, topicContext } = readRecordedTopic('meditation');
  const [recorded] = terms.filter(({ keyword }) => keyword === 'guided meditation');
  const variant = (keyword: string, difficulty: number, leaders: Partial<NicheApp>): NicheTerm => {
    const { traffic, top } = buildNicheTerm(keyword, recorded);
    const apps = top.map((app) => ({
      ...app,
      ...leaders,
      app_id: `${keyword} ${app.app_id}`,
      title: keyword,
    }));
    return buildNicheTerm(keyword, { traffic, difficulty, top: apps });
  };
  const gap = variant('meditation bell', 25, { ratings: 40, updated_at: daysAgo(700) });
  const none = variant('meditation course', 72, { ratings: 300_000, updated_at: now });
  const results = [...gap.top, ...none.top];
  const [first, second] = findNiches([none, gap], context, { ...topicContext, results });
  expect(first).toMatchObject({
    name: 'meditation bell',
    app_concept: expect.stringContaining('half of the first 10 apps have not been updated for 22 months'),
  });
  expect(second).toMatchObject({
    name: 'meditation course',
    app_concept: expect.stringContaining(' finds no clear gap: '),
  });
  expect(first?.opportunity_score).toBeGreaterThan(2 * (second?.opportunity_score ?? 100));
});
