import type { PageData } from '@shelfwise/dashboard/page-data';
import type { ListingModel } from '@shelfwise/dashboard/pages/listing/model';
import type { SimulatorModel } from '@shelfwise/dashboard/pages/simulator/model';
import { type Browser, openBrowser } from './harness/browser.ts';
import {
  asoReport,
  simulationReply,
  simulationRun,
  storefront,
  trackedListing,
} from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({ dashboard: { publicUrl: undefined } });
const json = { accept: 'application/json' };
const updatedAt = new Date('2026-06-14T08:00:00Z');
const report = { ...asoReport, scoring_version: 4 };
const audit = { report, timeline: [], is_pending: false, is_partial: false };
const runWithWords = { ...simulationReply, has_words: true };
const application = { listing: trackedListing, keyword_count: 2, aso_health: null };

let browser: Browser;
let accountId: string;

beforeEach(async () => {
  api.tracking.answer({
    listApplications: async () => ({ applications: [application], total: 1 }),
    getTrackedListing: async () => ({ listing: trackedListing }),
  });
  api.scoring.answer({
    getAsoHealth: async () => audit,
    getKeywordsField: async () => ({ kw_field: 'goals,mood', updated_at: updatedAt }),
    listSimulations: async () => ({ runs: [simulationRun], total: 1 }),
    getSimulation: async () => runWithWords,
  });
  const { key, id } = await api.createKey();
  accountId = id;
  browser = openBrowser(api);
  await browser.signInByKey(key);
});

async function open<Model>(path: string): Promise<{ status: number; page: PageData['page']; model: Model }> {
  const { status, body } = await browser.sendAs(json, 'GET', path);
  return { status, page: body.page, model: body.model };
}
const openListing = () => open<ListingModel>('/apps/42/listing');
const openSimulator = (query = '') => open<SimulatorModel>(`/apps/42/simulator${query}`);

describe('the listing', () => {
  test('has its fields as the store counts them, and what each word counts', async () => {
    const { page, model } = await openListing();
    expect(page).toBe('listing');
    expect(model).toMatchObject({ auditedAt: '2026-06-15T03:00:00.000Z', notes: [], unlistedSince: null });
    expect(model.awaited).toBeNull();
    const [title, keywords] = model.fields;
    expect(title).toMatchObject({
      key: 'title',
      label: 'Name',
      length: { state: 'known', value: 24 },
      limit: { state: 'known', value: 30 },
      score: { state: 'known', value: 74 },
      words: [
        {
          name: 'notes',
          status: 'earning',
          counts: { state: 'known', value: 66 },
          traffic: { state: 'partial' },
        },
        { name: 'evernote', status: 'pending', counts: { state: 'pending' }, traffic: { state: 'pending' } },
      ],
    });
    expect(keywords).toMatchObject({
      state: 'missing',
      length: { state: 'unknown', reason: 'not_published' },
      score: { state: 'unknown', reason: 'not_published' },
      words: [],
    });
  });

  test('of a field that is not known it says whether the store publishes it', async () => {
    const missing = report.fields.find(({ state }) => state === 'missing');
    if (!missing) throw new Error('the sample has no such field');
    const fields = [missing, { ...missing, key: 'subtitle' }];
    api.scoring.answer({ getAsoHealth: async () => ({ ...audit, report: { ...report, fields } }) });
    expect((await openListing()).model.fields.map(({ key, length, score }) => [key, length, score])).toEqual([
      ['kw_field', ...Array(2).fill({ state: 'unknown', reason: 'not_published' })],
      ['subtitle', ...Array(2).fill({ state: 'unknown', reason: 'not_read' })],
    ]);
  });

  test('has its flags with their evidence, and the words to add apart from it', async () => {
    const { model } = await openListing();
    expect(model.flags?.[0]).toMatchObject({
      code: 'LISTING_STALE',
      severity: 'warning',
      fix: 'Release an update.',
      evidence: [
        { name: 'days since update', value: { state: 'known', value: 120 } },
        { name: 'version', value: '10.1' },
        { name: 'fields', value: ['title', 'subtitle'] },
      ],
    });
    expect(model.wordsToAdd).toEqual([
      {
        name: 'reminders',
        places: [{ field: 'subtitle', text: 'reminders', adds: { state: 'known', value: 2 } }],
        source: 'description',
        traffic: { state: 'known', value: 38 },
        difficulty: { state: 'known', value: 50 },
        rank: { state: 'known', value: 12 },
        genreShare: { state: 'known', value: 60 },
      },
      {
        name: 'memo',
        places: [{ field: 'title', text: 'memo', adds: { state: 'unknown', reason: 'not_compared' } }],
        source: 'titles',
        traffic: { state: 'pending' },
        difficulty: { state: 'pending' },
        rank: null,
        genreShare: { state: 'unknown', reason: 'not_read' },
      },
    ]);
  });

  test('has each word to add once, what adds most first, and none that the fields have by now', async () => {
    const terms = [
      { name: 'memo', source: 'titles', field: 'subtitle', global_delta: 1, scored_at: null },
      { name: 'planner', source: 'titles', field: 'subtitle', global_delta: 0, scored_at: null },
      { name: 'evernote notes', source: 'titles', field: 'subtitle', global_delta: 9, scored_at: null },
      { name: 'planner', source: 'titles', field: 'title', global_delta: 3, scored_at: null },
      { name: 'cooking notes', source: 'titles', field: 'kw_field', global_delta: 1, scored_at: null },
    ];
    const [flag] = report.flags;
    if (!flag) throw new Error('the sample has no flag');
    const flags = [terms.slice(0, 3), terms.slice(3)].map((some) => ({
      ...flag,
      evidence: [{ name: 'words_to_add', value: { $case: 'terms' as const, value: { terms: some } } }],
    }));
    api.scoring.answer({ getAsoHealth: async () => ({ ...audit, report: { ...report, flags } }) });
    expect((await openListing()).model.wordsToAdd).toMatchObject([
      {
        name: 'planner',
        places: [
          { field: 'title', adds: { value: 3 } },
          { field: 'subtitle', adds: { value: 0 } },
        ],
      },
      { name: 'memo', places: [{ field: 'subtitle', adds: { value: 1 } }] },
      // A word that the name has already takes no room in the keywords field.
      { name: 'cooking notes', places: [{ field: 'kw_field', text: 'cooking' }] },
    ]);
  });

  test('says that no words are known, which differs from none', async () => {
    api.scoring.answer({ getAsoHealth: async () => ({ ...audit, report: { ...report, flags: [] } }) });
    expect((await openListing()).model.wordsToAdd).toBeNull();
  });

  test('has the kept keywords field, with its time', async () => {
    expect((await openListing()).model.keywordsField).toEqual({
      text: 'goals,mood',
      updatedAt: updatedAt.toISOString(),
      limit: { state: 'known', value: 100 },
    });
  });

  test('of Google Play has no keywords field', async () => {
    const listing = { ...trackedListing, storefront: { ...storefront, store: 'GPLAY' as const } };
    api.tracking.answer({
      listApplications: async () => ({ applications: [{ ...application, listing }], total: 1 }),
      getTrackedListing: async () => ({ listing }),
    });
    expect((await openListing()).model.keywordsField).toBeNull();
  });

  test('has the fields of the present listing while its words are read, and says how far that is', async () => {
    const [title, ...others] = report.fields;
    const fields = [{ ...title, text: 'A new name', score: null } as NonNullable<typeof title>, ...others];
    const pending = { words: 4, words_read: 1, fields, next_look_at: updatedAt };
    const answer = { ...audit, is_pending: true, pending };
    api.scoring.answer({ getAsoHealth: async () => ({ ...answer, report: null }) });
    const { model } = await openListing();
    expect(model).toMatchObject({
      notes: ['pending'],
      awaited: {
        words: { state: 'known', value: 4 },
        read: { state: 'known', value: 1 },
        nextLookAt: updatedAt.toISOString(),
      },
      flags: null,
      wordsToAdd: null,
    });
    expect(model.fields[0]).toMatchObject({
      text: 'A new name',
      length: { state: 'known', value: 24 },
      score: { state: 'pending' },
      words: [{ name: 'notes' }, { name: 'evernote', status: 'pending' }],
    });
    // The report of an earlier listing keeps its advice, but not its texts.
    api.scoring.answer({ getAsoHealth: async () => answer });
    const { model: later } = await openListing();
    expect(later.fields[0]?.text).toBe('A new name');
    expect(later.flags?.length).toBeGreaterThan(0);
  });

  test('without an audit says that it is pending; without an answer says so', async () => {
    api.scoring.answer({ getAsoHealth: async () => ({ ...audit, report: null, is_pending: true }) });
    expect((await openListing()).model).toMatchObject({ auditedAt: null, notes: ['pending'], fields: [] });
    api.scoring.fail('getAsoHealth', 'SERVICE_UNAVAILABLE');
    expect((await openListing()).model).toMatchObject({
      notes: ['no_answer'],
      flags: null,
      fields: [],
      keywordsField: { text: 'goals,mood' },
    });
  });

  test('makes four calls of tracking and two of scoring, and spends nothing', async () => {
    for (const service of [api.tracking, api.scoring]) service.requests.length = 0;
    await openListing();
    expect([api.tracking.requests.length, api.scoring.requests.length]).toEqual([4, 2]);
    expect(await api.connection.collection('usage').findOne({ account_id: accountId })).toBeNull();
  });
});

describe('the simulator', () => {
  test('has the live texts with the limits of the store, and no draft at first', async () => {
    const { model } = await openSimulator();
    const { title, description, subtitle = null } = trackedListing.listing ?? {};
    expect(model.fields).toEqual([
      { key: 'title', label: 'Name', limit: { state: 'known', value: 30 }, live: title },
      { key: 'subtitle', label: 'Subtitle', limit: { state: 'known', value: 30 }, live: subtitle },
      { key: 'kw_field', label: 'Keywords', limit: { state: 'known', value: 100 }, live: 'goals,mood' },
      { key: 'description', label: 'Description', limit: { state: 'known', value: 4000 }, live: description },
    ]);
    expect(model).toMatchObject({ draft: null, run: null, comparison: null });
  });

  test('shows the draft that was typed', async () => {
    await browser.send('PUT', '/apps/42/draft', { body: { title: 'Typed' } });
    expect((await openSimulator()).model.draft).toMatchObject({
      texts: { title: 'Typed', subtitle: null, description: null, kw_field: null },
    });
  });

  test('shows the runs of its app, the same as the API', async () => {
    const others = { ...simulationRun, id: 13, app_id: 7 };
    api.scoring.answer({ listSimulations: async () => ({ runs: [simulationRun, others], total: 300 }) });
    const { model } = await openSimulator();
    expect(model.hasMoreRuns).toBe(true);
    expect(model.runs).toEqual([
      {
        id: '12',
        at: '2026-06-14T08:00:00.000Z',
        title: 'Draft',
        isEdited: true,
        runs: { state: 'known', value: 3 },
        score: { state: 'known', value: 60 },
        change: { state: 'known', value: 5 },
        scoringVersion: '4',
      },
    ]);
  });

  test('opens a run: changes with their bounds, verdicts, flags and texts', async () => {
    const { model } = await openSimulator('?run=12');
    expect(model.run).toMatchObject({
      id: '12',
      scoringVersion: '4',
      isAgainstEmptyField: true,
      axes: [
        {
          key: 'global',
          before: { state: 'known', value: 62 },
          score: { state: 'known', value: 60 },
          change: { state: 'known', value: -2 },
          bounds: { min: { state: 'known', value: -4 }, max: { state: 'known', value: 3 } },
        },
        { key: 'coverage', bounds: { max: { value: 6 } } },
        { key: 'targeting', change: { value: 5 } },
        { key: 'appeal', change: { value: 1 }, bounds: 'nothing_pending' },
      ],
      texts: { title: 'Draft', subtitle: 'Sub', description: 'Text', kw_field: 'a,b' },
      words: [],
      terms: [{ name: 'notes', verdict: 'reachable', reason: 'held', won: { value: 66 }, sameAs: null }],
      flags: [{ code: 'LISTING_STALE' }, { code: 'NO_VIDEO' }],
    });
  });

  test('a term that brings nothing names the form that counts in its place', async () => {
    const { targeting } = asoReport;
    const [first] = targeting?.keywords ?? [];
    if (!targeting || !first) throw new Error('the sample has no terms');
    const keywords = [first, { ...first, name: 'note', won: 0, lost: 0, same_as: 'notes' }];
    const ofRun = { ...asoReport, targeting: { ...targeting, keywords } };
    api.scoring.answer({ getSimulation: async () => ({ ...runWithWords, report: ofRun }) });
    expect((await openSimulator('?run=12')).model.run?.terms).toMatchObject([
      { name: 'notes', sameAs: null },
      { name: 'note', won: { state: 'known', value: 0 }, sameAs: 'notes' },
    ]);
  });

  test('a run without scores says that its words are not read', async () => {
    const run = { ...simulationRun, aso_health: null };
    const nothing = { report: null, delta: null, delta_bounds: null, delta_basis: null };
    api.scoring.answer({ getSimulation: async () => ({ ...runWithWords, ...nothing, run }) });
    const { model } = await openSimulator('?run=12');
    expect(model.run).toMatchObject({ words: 'no_words', terms: [] });
    const notRead = { state: 'unknown', reason: 'not_read' };
    const notCompared = { state: 'unknown', reason: 'not_compared' };
    expect(
      model.run?.axes.map(({ score, before, change, bounds }) => [score, before, change, bounds]),
    ).toEqual(Array(4).fill([notRead, notCompared, notCompared, 'words_not_read']));
  });

  test('the words of a run without them are not compared', async () => {
    api.scoring.answer({ getSimulation: async () => simulationReply });
    expect((await openSimulator('?run=12')).model.run?.words).toBe('no_words');
  });

  test('runs of different scoring versions are never compared', async () => {
    const older = { ...runWithWords, run: { ...simulationRun, id: 11, scoring_version: 3 } };
    api.scoring.answer({ getSimulation: async ({ id }) => (id === 11 ? older : runWithWords) });
    const { model } = await openSimulator('?run=12&with=11');
    expect(model.comparison).toMatchObject({
      words: 'other_version',
      other: { id: '11', words: 'other_version' },
    });
    expect((await openSimulator('?run=12&with=12')).model.comparison?.words).toEqual([]);
  });

  test('a run of another app, or of nobody, is 404', async () => {
    const ofAnother = { ...runWithWords, run: { ...simulationRun, app_id: 7 } };
    api.scoring.answer({ getSimulation: async () => ofAnother });
    expect((await openSimulator('?run=12')).status).toBe(404);
    api.scoring.fail('getSimulation', 'NOT_FOUND');
    expect((await openSimulator('?run=99')).status).toBe(404);
    expect((await openSimulator('?run=x')).status).toBe(400);
  });

  test('while scoring does not answer, the texts that are known can be edited', async () => {
    api.scoring.fail('getAsoHealth', 'SERVICE_UNAVAILABLE');
    api.scoring.fail('listSimulations', 'SERVICE_UNAVAILABLE');
    const { status, model } = await openSimulator();
    expect([status, model.runs]).toEqual([200, null]);
    expect(model.fields.map(({ live }) => live)).toEqual([
      trackedListing.listing?.title,
      null,
      null,
      trackedListing.listing?.description,
    ]);
  });

  test('makes two calls of tracking and three of scoring, one more for each run, and spends nothing', async () => {
    for (const service of [api.tracking, api.scoring]) service.requests.length = 0;
    await openSimulator('?run=12&with=12');
    expect([api.tracking.requests.length, api.scoring.requests.length]).toEqual([2, 5]);
    expect(await api.connection.collection('usage').findOne({ account_id: accountId })).toBeNull();
  });
});

test('an app that the account does not track has neither page', async () => {
  for (const page of ['listing', 'simulator']) expect((await open(`/apps/7/${page}`)).status).toBe(404);
});
