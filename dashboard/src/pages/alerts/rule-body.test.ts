import { known } from '../../figure.ts';
import type { RuleRow } from './model.ts';
import { canBeMadeAgain, toRuleBody } from './rule-body.ts';

const row: RuleRow = {
  id: '4',
  kind: 'rank_drop',
  app: { id: '42', title: 'Notes', storeId: '9' },
  threshold: known(5),
  keywords: known(2),
  keywordIds: ['7', '8'],
  which: 'some',
  channels: ['3'],
  isEnabled: false,
};

test('a rule is made again with all that it had', () => {
  expect(toRuleBody(row)).toEqual({
    kind: 'rank_drop',
    app_id: 42,
    threshold: 5,
    keywords: [7, 8],
    channels: [3],
    is_enabled: false,
  });
});

test('a rule of all apps, without a threshold and about no keyword, leaves out only its keywords', () => {
  const none = { state: 'not_applicable' } as const;
  const about = { ...row, kind: 'store_blocked', app: null, threshold: none, keywords: none };
  const body = { ...about, keywordIds: [], which: null, channels: [], isEnabled: true };
  expect(JSON.parse(JSON.stringify(toRuleBody(body)))).toEqual({
    kind: 'store_blocked',
    app_id: null,
    threshold: null,
    channels: [],
    is_enabled: true,
  });
  expect(toRuleBody({ ...row, which: 'favorites' })).toMatchObject({ keywords: 'favorites' });
});

test('a rule that remembers what it has published cannot be made again exactly', () => {
  expect(
    ['rank_drop', 'listing_changed', 'keyword_unread', 'quota_used'].map((kind) => canBeMadeAgain({ kind })),
  ).toEqual([true, true, false, false]);
});
