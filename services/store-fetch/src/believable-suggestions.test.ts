import { AppError } from '@shelfwise/runtime/errors';
import { createFakeClock } from '../test/fake-clock.ts';
import { createScriptedSource } from '../test/scripted-source.ts';
import { withBelievableSuggestions } from './believable-suggestions.ts';
import { urgent } from './politeness/urgency.ts';

const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const jp = { store: 'ITUNES', country: 'JP', lang: 'ja-JP' } as const;
const options = () => ({ signal: new AbortController().signal, urgency: urgent });

function start(has: (prefix: string) => boolean) {
  const store = createScriptedSource(createFakeClock().now);
  const state = { has };
  store.answers.terms = (prefix) => (state.has(prefix) ? [`${prefix} app`] : []);
  const source = withBelievableSuggestions(store.source);
  return {
    ...store,
    state,
    suggest: (prefix: string, storefront = us) => source.suggest(storefront, prefix, options()),
  };
}

test('suggestions that come are believed without another call', async () => {
  const { suggest, asked } = start(() => true);
  expect((await suggest('hab')).terms).toEqual(['hab app']);
  expect(asked).toEqual(['suggest hab']);
});

test('an empty list is believed when a prefix that has suggestions is answered after it', async () => {
  const { suggest, asked } = start((prefix) => prefix === 'a');
  expect((await suggest('xyz')).terms).toEqual([]);
  expect(asked).toEqual(['suggest xyz', 'suggest a']);
});

test('when nothing comes at all the terms are null, not an empty list', async () => {
  const { suggest } = start(() => false);
  expect((await suggest('xyz')).terms).toBeNull();
  expect((await suggest('a')).terms).toBeNull();
});

test('a prefix of the same storefront that had suggestions is asked first, and a when it has none any more', async () => {
  const { suggest, asked, state } = start(() => true);
  await suggest('hab');
  state.has = (prefix) => prefix === 'hab';
  expect((await suggest('xyz')).terms).toEqual([]);
  state.has = (prefix) => prefix === 'a';
  expect((await suggest('xyz')).terms).toEqual([]);
  expect((await suggest('xyz')).terms).toEqual([]);
  expect(asked).toEqual([
    ...['suggest hab', 'suggest xyz', 'suggest hab', 'suggest xyz', 'suggest hab', 'suggest a'],
    ...['suggest xyz', 'suggest a'],
  ]);
});

test('one storefront says nothing about another', async () => {
  const { source, asked, answers } = createScriptedSource(createFakeClock().now);
  answers.terms = () => ['some'];
  const believable = withBelievableSuggestions(source);
  await believable.suggest(us, 'hab', options());
  answers.terms = () => [];
  expect((await believable.suggest(jp, 'xyz', options())).terms).toBeNull();
  expect(asked).toEqual(['suggest hab', 'suggest xyz', 'suggest a']);
});

test('when it cannot be found out the failure is told', async () => {
  const { suggest, answers } = start(() => false);
  answers.terms = (prefix) => {
    if (prefix === 'a') throw new AppError('STORE_FETCH_FAILED', 'busy');
    return [];
  };
  await expect(suggest('xyz')).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
});
