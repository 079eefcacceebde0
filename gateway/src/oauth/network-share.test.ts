import { findSurplusByNetwork } from './network-share.ts';

/** Newest first: each letter is a network, a dot is a row of none. */
const rowsOf = (text: string) => [...text].map((source, at) => (source === '.' ? { at } : { at, source }));
const surplusOf = (text: string, limit: number) =>
  findSurplusByNetwork(rowsOf(text), limit)
    .map(({ at }) => at)
    .sort((one, other) => one - other);

test.each([
  ['nothing is above the limit', 'aab', 3, []],
  ['the largest network gives up its oldest', 'aaaab', 3, [2, 3]],
  ['networks come down to the same number', 'aaaaabbbc', 5, [2, 3, 4, 7]],
  ['of more networks than the limit the newest stay', 'abcd', 2, [2, 3]],
  ['rows of no network stay longest', 'aab.', 2, [1, 2]],
  ['and are bounded, too', 'a...', 2, [0, 3]],
])('%s', (_, text, limit, surplus) => {
  expect(surplusOf(text, limit)).toEqual(surplus);
});
