import { describeTrouble } from './describe-trouble.ts';

const blocked = {
  store: 'ITUNES',
  blockedSince: '2026-11-28T09:00:00.000Z',
  nextTryAt: '2026-11-28T09:01:00.000Z',
} as const;

test('a blocked store says since when, of when the ranks are, and when it is tried again', () => {
  const said = describeTrouble(blocked, { oldest: '2026-11-24', newest: '2026-11-27' });
  expect(said[0]).toMatch(/^The App Store .* since Nov 28, 2026, 9:00\sAM UTC/);
  expect(said[1]).toMatch(/from .*24.* to .*27/);
  expect(said[2]).toMatch(/9:01\sAM UTC/);
});

test('without ranks or a time it does not make them up', () => {
  expect(describeTrouble({ ...blocked, nextTryAt: null }, null)).toHaveLength(2);
});

test('a store of which only a part fails is not called blocked', () => {
  const [said] = describeTrouble({ store: 'GPLAY', blockedSince: null, nextTryAt: null }, null);
  expect(said).not.toMatch(/since/);
});
