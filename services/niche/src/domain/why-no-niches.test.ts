import { buildNicheTerm, tenApps } from '../../test/build-niche-term.ts';
import { whyNoNiches } from './why-no-niches.ts';

const results = tenApps(1, { title: 'Habit Tracker' });
const topic = buildNicheTerm('habit', { isSearched: false, traffic: 3 });
const related = buildNicheTerm('habit log', { isSearched: false, traffic: 3 });
const other = buildNicheTerm('weather', { top: tenApps(50) });

const why = (terms: readonly ReturnType<typeof buildNicheTerm>[], shown = results, leftOut = 0) =>
  whyNoNiches(terms, { topic: 'habit', suggested: new Set(), results: shown }, { lang: 'en-US', leftOut });

test('a topic for which the store shows a single app can be compared with nothing', () => {
  expect(why([topic, other], results.slice(0, 1))).toBe('topic_page_short');
  expect(why([topic, other], [])).toBe('topic_page_short');
});

test('when all terms but the topic are left out, nothing was read', () => {
  expect(why([topic], results, 12)).toBe('no_terms_read');
  expect(why([topic, other], results, 12)).toBe('no_related_terms');
});

test('when all terms lead elsewhere, or there is none, no term is about the topic', () => {
  expect(why([topic, other])).toBe('no_related_terms');
  expect(why([topic])).toBe('no_related_terms');
});

test('when terms are about the topic, they are not searched', () => {
  expect(why([topic, related, other])).toBe('no_searched_terms');
});
