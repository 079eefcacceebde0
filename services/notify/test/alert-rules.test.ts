import { maxAlertRules } from '@shelfwise/facts/alerts/alert-kinds';
import type { CreateAlertRuleRequest } from '@shelfwise/proto/notify/v1/notify';
import { codeOf } from '../../../testing/call-within.ts';
import { createHarness, type Notify, publisher } from './start-notify.ts';

const { startNotify } = createHarness();
const all = { account_id: 'ann', page: 1, per_page: 200 };
const anyRule: CreateAlertRuleRequest = {
  account_id: 'ann',
  kind: 'RANK_DROP',
  keywords: null,
  is_enabled: true,
  channel_ids: [],
};

async function kindsOf({ client }: Notify, accountId = 'ann'): Promise<string[]> {
  return (await client.listAlertRules({ ...all, account_id: accountId })).rules.map(({ kind }) => kind);
}

test('a new account has a rule of each default kind, once; a deleted one does not come back', async () => {
  const notify = await startNotify();
  await publisher(notify).trackApp();
  const { rules, total } = await notify.client.listAlertRules(all);
  expect(total).toBe(4);
  expect(rules).toMatchObject([
    { kind: 'RANK_DROP', threshold: 5, app_id: null, keywords: { which: 'ALL', ids: [] }, is_enabled: true },
    { kind: 'LEFT_TOP', threshold: 10 },
    { kind: 'LISTING_CHANGED', threshold: null },
    { kind: 'STORE_BLOCKED', threshold: null },
  ]);
  const id = rules[1]?.id ?? 0;
  expect(await notify.client.deleteAlertRule({ account_id: 'ann', id })).toEqual({
    id,
    already_removed: false,
  });
  expect(await notify.client.deleteAlertRule({ account_id: 'ann', id })).toEqual({
    id,
    already_removed: true,
  });
  await publisher(notify).trackApp();
  expect(await kindsOf(notify)).toEqual(['RANK_DROP', 'LISTING_CHANGED', 'STORE_BLOCKED']);
});

test('a rule is created with the default threshold of its kind, or its own, and changed', async () => {
  const { client } = await startNotify();
  const { rule } = await client.createAlertRule({ ...anyRule, kind: 'ENTERED_TOP' });
  expect(rule).toMatchObject({ threshold: 10, app_id: null, keywords: { which: 'ALL' } });
  const own = await client.createAlertRule({
    ...anyRule,
    app_id: 42,
    threshold: 3,
    keywords: { which: 'SOME', ids: [7, 8, 7] },
    is_enabled: false,
  });
  const { id = 0 } = own.rule ?? {};
  expect(own.rule).toMatchObject({
    app_id: 42,
    threshold: 3,
    keywords: { which: 'SOME', ids: [7, 8] },
    is_enabled: false,
  });
  const change = { account_id: 'ann', id, keywords: null, app: null, channels: null };
  expect((await client.updateAlertRule({ ...change, is_enabled: true })).rule).toEqual({
    ...own.rule,
    is_enabled: true,
  });
  const { rule: changed } = await client.updateAlertRule({
    ...change,
    threshold: 20,
    keywords: { which: 'FAVORITES', ids: [] },
    app: {},
  });
  expect(changed).toMatchObject({ threshold: 20, app_id: null, keywords: { which: 'FAVORITES', ids: [] } });
});

test('thresholds and keywords that the kind does not have are refused', async () => {
  const { client } = await startNotify();
  const refused = async (change: Partial<CreateAlertRuleRequest>) =>
    expect([change, await codeOf(client.createAlertRule({ ...anyRule, ...change }))]).toEqual([
      change,
      'INVALID_PARAMS',
    ]);
  for (const threshold of [0, 101, 5.5, Number.NaN]) await refused({ threshold });
  await refused({ kind: 'UNSPECIFIED' });
  await refused({ kind: 'OVERTAKEN', threshold: 5 });
  await refused({ kind: 'RATING_DROP', threshold: 0 });
  await refused({ kind: 'LISTING_CHANGED', keywords: { which: 'FAVORITES', ids: [] } });
  await refused({ keywords: { which: 'SOME', ids: [] } });
  await refused({ keywords: { which: 'ALL', ids: [7] } });
  await refused({ keywords: { which: 'SOME', ids: Array.from({ length: 201 }, (_, index) => index + 1) } });
  await refused({ app_id: 0 });
  await refused({ kind: 'STORE_BLOCKED', app_id: 42 });
  await refused({ kind: 'STORE_RECOVERED', threshold: 1 });
});

test('another account sees, changes and deletes none of them', async () => {
  const notify = await startNotify();
  const { client } = notify;
  const { rule } = await client.createAlertRule(anyRule);
  const id = rule?.id ?? 0;
  const bobs = { account_id: 'bob', id };
  expect(
    await codeOf(
      client.updateAlertRule({ ...bobs, is_enabled: false, keywords: null, app: null, channels: null }),
    ),
  ).toBe('NOT_FOUND');
  expect(await client.deleteAlertRule(bobs)).toMatchObject({ already_removed: true });
  expect(await kindsOf(notify, 'bob')).toHaveLength(4);
  expect(await kindsOf(notify)).toHaveLength(5);
});

test('an account has at most 200 rules, and of six that are created at the same time the last one is', async () => {
  const { client } = await startNotify();
  for (let count = 4; count < maxAlertRules - 1; count += 1) await client.createAlertRule(anyRule);
  const codes = await Promise.all(Array.from({ length: 6 }, () => codeOf(client.createAlertRule(anyRule))));
  expect(codes.sort()).toEqual(['OK', ...Array(5).fill('PLAN_LIMIT')]);
  expect((await client.listAlertRules(all)).total).toBe(maxAlertRules);
});
