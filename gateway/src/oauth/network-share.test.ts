import { findSurplusByNetwork } from './network-share.ts';

/** Newest first: each letter is a network, a capital one of a row that was shown to a person. */
const rowsOf = (text: string) =>
  [...text].map((name, at) => {
    const source = name.toLowerCase();
    return name === source ? { at, source } : { at, shown_source: source };
  });
const surplusOf = (text: string, limit: number) =>
  findSurplusByNetwork(rowsOf(text), limit)
    .map(({ at }) => at)
    .sort((one, other) => one - other);

test.each([
  ['nothing is above the limit', 'aab', 3, []],
  ['the largest network gives up its oldest', 'aaaab', 3, [2, 3]],
  ['networks come down to the same number', 'aaaaabbbc', 5, [2, 3, 4, 7]],
  ['of more networks than the limit the newest stay', 'abcd', 2, [2, 3]],
  ['the first that was shown stays longest', 'aaabA', 3, [1, 2]],
  ['those that one network was shown keep no new one out', 'bAAAA', 3, [3, 4]],
  ['and are bounded, too', 'AAAA', 2, [2, 3]],
])('%s', (_, text, limit, surplus) => {
  expect(surplusOf(text, limit)).toEqual(surplus);
});
