import type { GetShareOfVoiceReply } from '@shelfwise/proto/scoring/v1/scoring';
import { plansWith } from './harness/plans-with.ts';
import { competitorRelation, trackedListing } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({
  plans: plansWith({ week: { historical_data_days: 7 }, days: { historical_data_days: 3 } }),
});
const path = '/api/v1/applications/42/share-of-voice';

const [own, rival] = ['281796108', '1274495053'];
const counts = { terms: 12, terms_read: 11 };
const reply: GetShareOfVoiceReply = {
  date: '2026-06-14',
  oldest_page: '2026-06-13',
  ...counts,
  apps: [
    {
      app_id: '9',
      title: 'Notes, Inc',
      icon: 'https://x.test/9',
      is_own: false,
      is_competitor: false,
      share: 0.5,
    },
    { app_id: own, is_own: true, is_competitor: false, share: 0.25, change_7d: -0.125 },
    { app_id: rival, title: 'An old title', is_own: false, is_competitor: true, share: 0, change_7d: 0 },
  ],
  others: 0.25,
  basket: [
    { keyword: 'notes app', weight: 0.75, page_date: '2026-06-14' },
    { keyword: 'note taking', weight: 0.25 },
  ],
  history: [
    { date: '2026-06-13', terms: 12, terms_read: 2, apps: [{ app_id: own }, { app_id: rival }] },
    {
      date: '2026-06-14',
      ...counts,
      apps: [
        { app_id: own, share: 0.25 },
        { app_id: rival, share: 0 },
      ],
    },
  ],
};

beforeEach(() => {
  api.tracking.answer({
    getTrackedListing: async () => ({ listing: trackedListing }),
    listCompetitors: async () => ({ relations: [competitorRelation], total: 1 }),
  });
  api.scoring.answer({ getShareOfVoice: async () => reply });
});

test('apps have shares; tracking knows the title of the application and of its competitors', async () => {
  const { body } = await api.call('GET', path);
  expect(body).toEqual({
    data: {
      app_id: 42,
      app_title: 'Evernote',
      date: '2026-06-14',
      ...counts,
      apps: [
        {
          app_id: '9',
          title: 'Notes, Inc',
          icon: 'https://x.test/9',
          is_own: false,
          is_competitor: false,
          share: 0.5,
          change_7d: null,
        },
        {
          app_id: own,
          title: 'Evernote',
          icon: 'https://example.com/icon.png',
          is_own: true,
          is_competitor: false,
          share: 0.25,
          change_7d: -0.125,
        },
        {
          app_id: rival,
          title: 'Rival Notes',
          icon: 'https://example.com/icon.png',
          is_own: false,
          is_competitor: true,
          share: 0,
          change_7d: 0,
        },
      ],
      others: 0.25,
      basket: [
        { keyword: 'notes app', weight: 0.75, page_date: '2026-06-14' },
        { keyword: 'note taking', weight: 0.25, page_date: null },
      ],
      history: [
        {
          date: '2026-06-13',
          terms: 12,
          terms_read: 2,
          apps: [
            { app_id: own, share: null },
            { app_id: rival, share: null },
          ],
        },
        {
          date: '2026-06-14',
          ...counts,
          apps: [
            { app_id: own, share: 0.25 },
            { app_id: rival, share: 0 },
          ],
        },
      ],
    },
    meta: {
      from: '2026-05-16',
      to: '2026-06-15',
      total: 2,
      pages: 11,
      oldest_page: '2026-06-13',
      unread: 1,
      truncated: false,
    },
  });
});

test('scoring is asked for the application of the account and its competitors', async () => {
  await api.call('GET', `${path}?from=2026-01-01`);
  const ofAccount = { account_id: api.accountId };
  expect(api.tracking.requests).toMatchObject([
    { method: 'getTrackedListing', request: { ...ofAccount, id: 42 } },
    { method: 'listCompetitors', request: { ...ofAccount, app_id: 42 } },
  ]);
  expect(api.scoring.requests).toMatchObject([
    {
      method: 'getShareOfVoice',
      request: {
        ...ofAccount,
        app: { id: 42 },
        competitor_app_ids: [rival],
        // The last 90 days.
        from: '2026-03-18',
        to: '2026-06-15',
      },
    },
  ]);
});

test('of more than a hundred competitors those added last are compared', async () => {
  const { competitor } = competitorRelation;
  const relations = Array.from({ length: 101 }, (_, index) => ({
    ...competitorRelation,
    id: 101 - index,
    competitor: competitor && {
      ...competitor,
      listing: competitor.listing && { ...competitor.listing, app_id: `rival.${index}` },
    },
  }));
  api.tracking.answer({ listCompetitors: async () => ({ relations, total: 101 }) });
  expect((await api.call('GET', path)).body.meta).toMatchObject({ truncated: true });
  expect(api.scoring.requests.at(-1)?.request).toMatchObject({
    competitor_app_ids: relations.slice(0, 100).map((_, index) => `rival.${index}`),
  });
});

test('without a page everything is null', async () => {
  const nothing = { terms: 0, terms_read: 0, basket: [], history: [] };
  const apps = [{ app_id: own, is_own: true, is_competitor: false }];
  api.scoring.answer({ getShareOfVoice: async () => ({ ...nothing, apps }) });
  const { data, meta } = (await api.call('GET', path)).body;
  expect(data).toMatchObject({
    ...nothing,
    date: null,
    others: null,
    apps: [{ share: null, change_7d: null }],
  });
  expect(meta).toMatchObject({ total: 0, pages: 0, oldest_page: null, unread: 0 });
});

test('a plan limits the days, and the day that a share is compared with', async () => {
  const { key } = await api.createKey('week');
  const changeOf = async (path: string, key: string) =>
    (await api.call('GET', path, { key })).body.data.apps[1].change_7d;
  // Seven days before June 14 is eight days ago.
  expect(await changeOf(path, key)).toBeNull();
  api.scoring.answer({ getShareOfVoice: async () => ({ ...reply, date: '2026-06-15' }) });
  expect(await changeOf(path, key)).toBe(-0.125);
  const { key: ofDays } = await api.createKey('days');
  expect(await changeOf(path, ofDays)).toBeNull();
  expect(refusalOf(await api.call('GET', `${path}?from=2026-06-07`, { key }))).toBe('403 PLAN_LIMIT');
});

test('an application that the account does not track is 404, and no share is read', async () => {
  api.tracking.fail('getTrackedListing', 'APP_NOT_FOUND');
  const answer = await api.call('GET', path);
  expect(answer).toMatchObject({ status: 404, body: { code: 'APP_NOT_FOUND' } });
  expect(api.scoring.requests).toEqual([]);
});

test('the CSV has one row per app and day', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  expect(body).toBe(
    [
      'date,terms,terms_read,app_id,title,is_own,is_competitor,share',
      `2026-06-13,12,2,${own},Evernote,true,false,`,
      `2026-06-13,12,2,${rival},Rival Notes,false,true,`,
      `2026-06-14,12,11,${own},Evernote,true,false,0.25`,
      `2026-06-14,12,11,${rival},Rival Notes,false,true,0`,
      '2026-06-14,12,11,9,"Notes, Inc",false,false,0.5',
      '',
    ].join('\r\n'),
  );
});
