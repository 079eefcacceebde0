import type { FindSimulationsReply } from '@shelfwise/proto/scoring/v1/scoring';
import type { ListingChange } from '@shelfwise/proto/tracking/v1/tracking';
import { daysBefore } from '@shelfwise/runtime/day';
import { plansWith } from './harness/plans-with.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const api = useGateway({ plans: plansWith({ month: { historical_data_days: 30 } }) });
const path = '/api/v1/applications/42/changes';

const texts = { title: 'Evernote: Notes', subtitle: 'Write', description: 'Notes.' };
const before = { title: 'Evernote', subtitle: 'Write', description: 'Notes.' };
const ranks = { keywords: 3, rank_before: 40, rank_after: 12.5 };
const unread = { keywords: 1 };
const own: ListingChange = {
  id: '42:7',
  app: { app_id: '281796108', title: 'Evernote', is_own: true },
  date: '2026-06-05',
  version: '2.1',
  fields: [
    { field: 'title', before: 'Evernote', after: texts.title, words_added: ['notes'], words_removed: [] },
    { field: 'version', before: '2.0', after: '2.1', words_added: [], words_removed: [] },
  ],
  screenshots: { added: 2, removed: 0 },
  icon_changed: false,
  rating_before: 4.4,
  rating_after: 4.3,
  effects: [
    { days: 7, added: { ...ranks, moved: true }, removed: unread, control: ranks, other_changes: ['42:6'] },
  ],
  texts,
  texts_before: before,
};
/** As the service sends what it does not know. */
const rivals: ListingChange = {
  id: '9:2',
  app: { app_id: '9', is_own: false },
  date: '2026-06-14',
  fields: [],
  screenshots: null,
  icon_changed: true,
  effects: [],
  texts: null,
  texts_before: null,
};

const foundRun: FindSimulationsReply = { found: [{ id: 12, delta_global: 5 }] };

/** Visibility 60, and 70 from the day after the change, with one day missing. */
const history = Array.from({ length: 18 }, (_, index) => daysBefore('2026-06-15', 17 - index)).map(
  (date) => ({
    date,
    score: date === '2026-06-01' ? null : date > '2026-06-05' ? 70 : 60,
    basket_version: 3,
    terms: 40,
    carried_terms: 2,
    scoring_version: 1,
    ranked: 12,
  }),
);

beforeEach(() => {
  api.tracking.answer({ listChanges: async () => ({ changes: [rivals, own], total: 5, truncated: false }) });
  api.scoring.answer({
    getScoreHistory: async () => ({ history }),
    findSimulations: async () => foundRun,
  });
});

const shownOwn = {
  id: '42:7',
  app: { app_id: '281796108', title: 'Evernote', is_own: true },
  date: '2026-06-05',
  version: '2.1',
  fields: own.fields,
  screenshots: { added: 2, removed: 0 },
  icon_changed: false,
  rating_before: 4.4,
  rating_after: 4.3,
  simulation_id: 12,
  predicted_delta: 5,
  effect: [
    {
      days: 7,
      added: { ...ranks, moved: true },
      removed: { keywords: 1, rank_before: null, rank_after: null, moved: null },
      control: ranks,
      // 6 of 7 days are known.
      visibility_before: 60,
      visibility_after: 70,
      other_changes: ['42:6'],
    },
  ],
};

test('an own change is shown with what was predicted and what followed; what is not known is null', async () => {
  const { body } = await api.call('GET', `${path}?competitors=true&per_page=2&from=2026-06-01`);
  expect(body).toEqual({
    data: [
      {
        id: '9:2',
        app: { app_id: '9', title: null, is_own: false },
        date: '2026-06-14',
        version: null,
        fields: [],
        screenshots: null,
        icon_changed: true,
        rating_before: null,
        rating_after: null,
        simulation_id: null,
        predicted_delta: null,
        effect: null,
      },
      shownOwn,
    ],
    meta: {
      total: 5,
      page: 1,
      per_page: 2,
      total_pages: 3,
      has_more: true,
      from: '2026-06-01',
      to: '2026-06-15',
      truncated: false,
    },
  });
});

test('the services are asked once each, and scoring only for what the changes need', async () => {
  await api.call('GET', `${path}?page=2`);
  expect(api.tracking.requests).toMatchObject([
    {
      method: 'listChanges',
      request: {
        account_id: api.accountId,
        app_id: 42,
        competitors: false,
        from: '2026-05-16',
        to: '2026-06-15',
        page: 2,
        per_page: 10,
        oldest_day: '2025-05-11',
        effects: true,
      },
    },
  ]);
  const asked = () => api.scoring.requests.map(({ method, request }) => [method, request]);
  expect(asked()).toEqual([
    ['getScoreHistory', { app_id: 42, from: '2026-05-08', to: '2026-06-15' }],
    [
      'findSimulations',
      { account_id: api.accountId, app_id: 42, texts: [{ ...texts, before, until: own.date }] },
    ],
  ]);
  api.tracking.answer({ listChanges: async () => ({ changes: [rivals], total: 1, truncated: false }) });
  await api.call('GET', path);
  expect(asked()).toHaveLength(2);
});

test('without effects, scoring is not asked for visibility', async () => {
  api.tracking.answer({
    listChanges: async ({ effects }) => ({
      changes: [effects ? own : { ...own, effects: [] }],
      total: 1,
      truncated: false,
    }),
  });
  const { body } = await api.call('GET', `${path}?effects=false`);
  expect(body.data).toEqual([{ ...shownOwn, effect: null }]);
  expect(api.scoring.requests.map(({ method }) => method)).toEqual(['findSimulations']);
});

test('without a run of the texts, nothing was predicted', async () => {
  api.scoring.answer({ findSimulations: async () => ({ found: [{}] }) });
  const { body } = await api.call('GET', path);
  expect(body.data[1]).toMatchObject({ simulation_id: null, predicted_delta: null });
});

test('visibility is null when under 80 % of the days are known on a side', async () => {
  const few = history.filter(({ date }) => date !== '2026-06-02');
  api.scoring.answer({ getScoreHistory: async () => ({ history: few }) });
  const { body } = await api.call('GET', path);
  expect(body.data[1].effect[0]).toMatchObject({ visibility_before: null, visibility_after: 70 });
});

test('days with another basket than that of the day of the change are not compared', async () => {
  const effectWith = async (isOther: (date: string) => boolean) => {
    const rows = history.map((row) => (isOther(row.date) ? { ...row, basket_version: 4 } : row));
    api.scoring.answer({ getScoreHistory: async () => ({ history: rows }) });
    const { body } = await api.call('GET', path);
    return [body.data[1].effect[0].visibility_before, body.data[1].effect[0].visibility_after];
  };
  // Six of the seven days after the change still have the old one, then five.
  expect(await effectWith((date) => date > '2026-06-11')).toEqual([60, 70]);
  expect(await effectWith((date) => date > '2026-06-10')).toEqual([60, null]);
  // A new one on the day of the change, and on the day after it.
  expect(await effectWith((date) => date >= '2026-06-05')).toEqual([null, 70]);
  expect(await effectWith((date) => date > '2026-06-05')).toEqual([60, null]);
});

test('of a change from before the history, visibility is not known, and scoring is not asked for it', async () => {
  const old = { ...own, date: '2025-02-01' };
  api.tracking.answer({ listChanges: async () => ({ changes: [old], total: 1, truncated: false }) });
  const { status, body } = await api.call('GET', `${path}?from=2025-01-01&to=2025-02-28`);
  expect([status, api.scoring.requests.map(({ method }) => method)]).toEqual([200, ['findSimulations']]);
  expect(body.data[0].effect).toMatchObject([{ visibility_before: null, visibility_after: null }]);
});

test('a plan with less history compares only with its days', async () => {
  const { key } = await api.createKey('month');
  await api.call('GET', path, { key });
  expect(api.tracking.requests.at(-1)?.request).toMatchObject({ oldest_day: '2026-05-16' });
  // Both requests of scoring are sent at once.
  expect(api.scoring.requests.map(({ request }) => request)).toContainEqual(
    expect.objectContaining({ from: '2026-05-16' }),
  );
  expect(refusalOf(await api.call('GET', `${path}?from=2026-05-15`, { key }))).toBe('403 PLAN_LIMIT');
});

test('it is said when older changes of the window are left out', async () => {
  api.tracking.answer({ listChanges: async () => ({ changes: [], total: 1000, truncated: true }) });
  const { body } = await api.call('GET', path);
  expect(body.meta).toMatchObject({ total: 1000, truncated: true });
});

test('the CSV has a row for each changed text, and one for pictures', async () => {
  const { body } = await api.call('GET', path, { headers: { accept: 'text/csv' } });
  const lines = String(body).trimEnd().split('\r\n');
  expect(lines).toEqual([
    'id,app.app_id,app.title,app.is_own,date,version,screenshots.added,screenshots.removed,icon_changed,rating_before,rating_after,simulation_id,predicted_delta,field,before,after,words_added,words_removed',
    '9:2,9,,false,2026-06-14,,,,true,,,,,,,,,',
    '42:7,281796108,Evernote,true,2026-06-05,2.1,2,0,false,4.4,4.3,12,5,title,Evernote,Evernote: Notes,notes,""',
    '42:7,281796108,Evernote,true,2026-06-05,2.1,2,0,false,4.4,4.3,12,5,version,2.0,2.1,"",""',
  ]);
  // It shows no effects, so none is computed.
  expect(api.tracking.requests).toMatchObject([{ request: { effects: false } }]);
});

test('more than 50 changes a page, and days that are none, are refused', async () => {
  for (const query of ['per_page=51', 'page=0', 'competitors=maybe', 'from=2026-02-30'])
    expect([query, refusalOf(await api.call('GET', `${path}?${query}`))]).toEqual([
      query,
      '400 INVALID_PARAMS',
    ]);
});
