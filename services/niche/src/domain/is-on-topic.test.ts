import { buildNicheTerm, tenApps } from '../../test/build-niche-term.ts';
import { createIsOnTopic } from './is-on-topic.ts';
import type { NicheTerm } from './niche-term.ts';

/**
 * 60 apps with the ids 1 to 60. Only the first five and the last fifteen titles name the topic; only the first one jogging,
 * too.
 */
const results = Array.from({ length: 60 }, (_, at) => ({
  app_id: String(at + 1),
  title: titleAt(at),
}));
function titleAt(at: number): string {
  if (at === 0) return 'Running and Jogging';
  return at < 5 || at >= 45 ? 'Running Coach' : 'Ball Club';
}
const isOnTopic = (keyword: string, overrides: Partial<NicheTerm> = {}) =>
  createIsOnTopic(
    { topic: 'running', suggested: new Set(['running nike', 'jog tracker']), results },
    'en-US',
  )(buildNicheTerm(keyword, { top: tenApps(101), ...overrides }));

/** Ten results, the first of which are these apps. */
const leadingTo = (...ids: number[]) => ({
  top: [...ids.flatMap((id) => tenApps(id).slice(0, 1)), ...tenApps(101)].slice(0, 10),
});

test('the topic is about itself, even when it leads elsewhere', () => {
  expect(isOnTopic('running')).toBe(true);
});

test('a term that names the topic needs two of its first ten apps on the topic’s page, wherever it came from', () => {
  expect(isOnTopic('running shoes', leadingTo(6, 7))).toBe(true);
  expect(isOnTopic('running shoes', leadingTo(6))).toBe(false);
  expect(isOnTopic('running nike', leadingTo(6))).toBe(false);
  expect(isOnTopic('running nike', leadingTo(6, 7))).toBe(true);
});

test('the first 50 apps of the topic count, and no later one', () => {
  expect(isOnTopic('running shoes', leadingTo(49, 50))).toBe(true);
  expect(isOnTopic('running shoes', leadingTo(50, 51))).toBe(false);
});

test('any other term needs two apps whose titles name the topic', () => {
  expect(isOnTopic('jogging', leadingTo(1, 2))).toBe(true);
  expect(isOnTopic('jogging', leadingTo(4, 46))).toBe(true);
  expect(isOnTopic('jogging', leadingTo(1, 6, 7, 8, 9, 10, 11, 12, 13, 14))).toBe(false);
  expect(isOnTopic('jogging', leadingTo(46, 51))).toBe(false);
});

test('such a term must also be suggested, or be in the title of an app that names the topic', () => {
  expect(isOnTopic('jog tracker', leadingTo(1, 2))).toBe(true);
  expect(isOnTopic('ball club', leadingTo(1, 2, 6, 7))).toBe(false);
  expect(isOnTopic('marathon', leadingTo(1, 2, 3, 4, 5))).toBe(false);
});

test('or more than half of its first ten apps must name the topic', () => {
  expect(isOnTopic('marathon', leadingTo(1, 2, 3, 4, 5, 46))).toBe(true);
});

test('an app that is listed twice counts once, and apps after the tenth do not count', () => {
  expect(isOnTopic('jogging', leadingTo(1, 1))).toBe(false);
  expect(isOnTopic('jogging', { top: [...tenApps(101), ...tenApps(1)] })).toBe(false);
});

test('a term with two results needs both', () => {
  expect(isOnTopic('marathon', { top: tenApps(1).slice(0, 2) })).toBe(true);
  expect(isOnTopic('marathon', { top: tenApps(1).slice(0, 1) })).toBe(false);
  expect(isOnTopic('marathon', { top: [] })).toBe(false);
});

test('a brand must also be suggested by the store, or be the topic', () => {
  const brand = { ...leadingTo(1, 2, 3), isNavigational: true };
  expect(isOnTopic('running otter', brand)).toBe(false);
  expect(isOnTopic('running nike', brand)).toBe(true);
  expect(isOnTopic('running', brand)).toBe(true);
});

test('without results no other term is about the topic', () => {
  const isAbout = createIsOnTopic(
    { topic: 'running', suggested: new Set(['running app']), results: [] },
    'en',
  );
  expect(isAbout(buildNicheTerm('running app'))).toBe(false);
  expect(isAbout(buildNicheTerm('running'))).toBe(true);
});
