import type { Store } from '@shelfwise/facts/stores/store';
import type { DraftContext } from '@shelfwise/proto/scoring/v1/scoring';
import { until } from '../../../testing/until.ts';
import { readTrackedListing } from '../src/domain/listing-reading.ts';
import { scoringVersion } from '../src/domain/scoring-version.ts';
import { weekMs } from '../src/domain/term-schedule.ts';
import { fakeListing, storeFailed } from './fake-store-fetch.ts';
import { createDraftHarness, type Drafts, play, trackedApp, us, within } from './start-drafts.ts';

const startDrafts = createDraftHarness();

let drafts: Drafts;
beforeEach(async () => {
  drafts = await startDrafts();
});

const nothingSent: DraftContext = {
  rating: null,
  rating_count: null,
  screenshots: null,
  days_since_update: null,
  age_months: null,
  language_count: null,
};
const unchangedScores = { global: 0, coverage: 0, targeting: 0, appeal: 0 };
const incomparable = { global: null, coverage: null, targeting: null };
const draft = {
  title: 'Photo editor',
  subtitle: 'Collage',
  description: 'Makes collages.',
  kw_field: 'crop',
};

/** The store cannot be read for these words. */
function failReads(isUnread: (keyword: string) => boolean = () => true) {
  drafts.measurer.hooks.beforeMeasure = async (keyword) => {
    if (isUnread(keyword)) throw storeFailed();
  };
}

/** The only stored run, as `GetSimulation` returns it. */
async function onlyRun() {
  const { runs } = await drafts.list();
  expect(runs).toHaveLength(1);
  return drafts.get(runs[0]?.id ?? 0);
}

describe('what is scored', () => {
  test('a draft without an app is an unpublished listing with the texts that were sent, and is compared with nothing', async () => {
    const reply = await drafts.simulate({ storefront: us, draft });
    expect(reply).toMatchObject({ listing: draft, delta: null, is_new: true, notes: [], stale_since: null });
    expect(reply.aso_health).toEqual({
      global: expect.any(Number),
      coverage: expect.any(Number),
      targeting: expect.any(Number),
      appeal: expect.any(Number),
      tier: 1,
    });
    const run = await onlyRun();
    expect(run).toMatchObject({ listing: draft, kw_field_known: true, delta: null });
    expect(run.run).toMatchObject({ app_id: null, baseline_global: null, edited: true, storefront: us });
    expect(run.context).toEqual({
      rating: null,
      rating_count: 0,
      screenshots: 0,
      days_since_update: null,
      age_months: null,
      has_video: false,
      language_count: 1,
    });
  });

  test('texts that a draft without an app omits are empty; its keywords field is empty, not unknown', async () => {
    const reply = await drafts.simulate({ storefront: us, draft: { title: 'Photo editor' } });
    expect(reply.listing).toEqual({ title: 'Photo editor', subtitle: '', description: '', kw_field: '' });
    const { kw_field_known: kwFieldKnown, report } = await onlyRun();
    expect(kwFieldKnown).toBe(true);
    expect(report?.fields.find(({ key }) => key === 'kw_field')?.state).toBe('empty');
  });

  test('texts that a draft of an app omits come from the live listing, whose keywords field is unknown', async () => {
    const reply = await drafts.simulate({ app: trackedApp(), draft: { title: 'Harbour Video' } });
    expect(reply.listing).toEqual({
      title: 'Harbour Video',
      subtitle: 'Photo editor',
      description: 'Takes pictures.',
      kw_field: '',
    });
    const { kw_field_known: kwFieldKnown, report, run } = await onlyRun();
    expect(kwFieldKnown).toBe(false);
    expect(report?.fields.find(({ key }) => key === 'kw_field')?.state).toBe('missing');
    expect(run).toMatchObject({ app_id: 7, title: 'Harbour Video', edited: true, storefront: us });
  });

  test.each(['title', 'subtitle', 'description'] as const)(
    'a %s of the live listing that could not be read is unknown, not empty, in the answer, the run and the list',
    async (field) => {
      const app = trackedApp({ [field]: null });
      const reply = await drafts.simulate({ app, draft: {} });
      const texts = { title: 'Harbour Camera', subtitle: 'Photo editor', description: 'Takes pictures.' };
      expect(reply.listing).toEqual({ ...texts, [field]: null, kw_field: '' });
      const { listing, report, run } = await onlyRun();
      expect(listing).toEqual(reply.listing);
      expect(report?.fields.find(({ key }) => key === field)).toMatchObject({ state: 'missing', text: null });
      const { title } = reply.listing ?? {};
      expect(run).toMatchObject({ title, edited: false });
      expect((await drafts.list()).runs).toMatchObject([{ title }]);
      // Sent as empty it is another draft, and another result.
      const blank = await drafts.simulate({ app, draft: { [field]: '' } });
      expect(blank).toMatchObject({ is_new: true, listing: { [field]: '' } });
    },
  );

  test('a run without a known title is found by no search', async () => {
    await drafts.simulate({ app: trackedApp({ title: null }), draft: {} });
    expect((await drafts.list({ search: 'null' })).total).toBe(0);
    expect((await drafts.list({ search: '' })).total).toBe(1);
  });

  test.each([
    [['editor'], /^The store’s suggestions are not known yet for 1 of .*: the scores leave it out\./],
    [['photo', 'editor'], /^The store’s suggestions are not known yet for 2 of .*, so it has no scores\./],
  ])('words whose traffic is partial are left out: %p', async (partial, note) => {
    for (const keyword of partial) drafts.measurer.setScore(keyword, { is_partial: true });
    const reply = await drafts.simulate({
      storefront: us,
      draft: { ...draft, title: 'Photo editor', subtitle: 'Crop filter frame lens' },
    });
    expect(reply.notes).toEqual([expect.stringMatching(note)]);
    expect(reply.aso_health === null).toBe(partial.length > 1);
  });

  test('an empty text that is sent is used as it is', async () => {
    const sent = { subtitle: '', description: '', kw_field: '' };
    const reply = await drafts.simulate({ app: trackedApp(), draft: sent });
    expect(reply.listing).toEqual({ title: 'Harbour Camera', ...sent });
    expect(await onlyRun()).toMatchObject({ kw_field_known: true, run: { edited: true } });
  });

  test('the texts of the live listing do not count as edited, whatever line endings are sent', async () => {
    const app = trackedApp({ description: 'One\r\ntwo' });
    await drafts.simulate({ app, storefront: us });
    expect((await onlyRun()).run?.edited).toBe(false);
    const same = { title: 'Harbour Camera', description: 'One\ntwo' };
    expect(await drafts.simulate({ app, draft: same })).toMatchObject({ is_new: false });
    expect((await onlyRun()).run).toMatchObject({ edited: false, runs_count: 2 });
  });

  test('rating, age and screenshots come from the app; a key that is sent replaces its value', async () => {
    const app = trackedApp({ released_at: new Date('2025-03-10T00:00:00Z'), languages: ['en', 'fr'] });
    await drafts.simulate({ app });
    const own = {
      rating: 4.5,
      rating_count: 1200,
      screenshots: 1,
      days_since_update: 18,
      age_months: 12,
      has_video: null,
      language_count: 2,
    };
    expect((await onlyRun()).context).toEqual(own);

    const context = { ...nothingSent, screenshots: { value: 6 }, has_video: true };
    const sent = await drafts.get((await drafts.simulate({ app, context })).run_id);
    expect(sent.context).toEqual({ ...own, screenshots: 6, has_video: true });
    expect(sent.run?.edited).toBe(true);
  });

  test('every key of the context can be sent; rating and age can be sent as unknown', async () => {
    const numbers = {
      rating: 4.25,
      rating_count: 10_000_000_000,
      screenshots: 100,
      days_since_update: 3650,
      age_months: 600,
      language_count: 500,
    };
    const context = Object.fromEntries(Object.entries(numbers).map(([key, value]) => [key, { value }]));
    const all = await drafts.simulate({
      storefront: us,
      context: { ...nothingSent, ...context, has_video: false },
    });
    expect((await drafts.get(all.run_id)).context).toEqual({ ...numbers, has_video: false });
    const unknown = { ...nothingSent, rating: { value: null }, age_months: { value: null } };
    const none = await drafts.simulate({ app: trackedApp(), context: unknown });
    expect((await drafts.get(none.run_id)).context).toMatchObject({ rating: null, age_months: null });
  });

  test('languages that neither the store shows nor the caller sends are unknown, not one', async () => {
    await drafts.simulate({ app: trackedApp({ languages: [] }, play) });
    const { context, report } = await onlyRun();
    expect(context?.language_count).toBeNull();
    expect(report?.flags.map(({ code }) => code)).not.toContain('SINGLE_LANGUAGE');
  });

  test('a keywords field that only the draft has counts only there, and a note says so', async () => {
    const note = expect.stringMatching(/^The app’s keywords field is not known, so the change \(delta\) is/);
    const notesOf = async (request: Parameters<Drafts['simulate']>[0]) =>
      (await drafts.simulate(request)).notes;
    expect(await notesOf({ app: trackedApp(), draft: { kw_field: 'crop' } })).toEqual([note]);
    expect(await notesOf({ app: trackedApp(), draft: { kw_field: '' } })).toEqual([note]);
    expect(await notesOf({ app: trackedApp(), draft: { title: 'Photo editor' } })).toEqual([]);
    expect(await notesOf({ storefront: us, draft })).toEqual([]);
    const onPlay = await notesOf({ app: trackedApp({}, play), draft: { kw_field: 'crop' } });
    expect(onPlay[0]).toBe('kw_field was ignored: Google Play has no keywords field.');
    expect(onPlay).not.toContainEqual(note);
  });

  test('a keywords field for Google Play is ignored, and a note says so', async () => {
    const plain = { title: 'Photo editor', subtitle: 'Collage', description: 'Makes collages.' };
    const reply = await drafts.simulate({ storefront: play, draft: { ...plain, kw_field: 'crop' } });
    expect(reply.notes).toEqual(['kw_field was ignored: Google Play has no keywords field.']);
    expect(reply.listing).toEqual({ ...plain, kw_field: '' });
    expect(await onlyRun()).toMatchObject({ kw_field_known: true });
    expect(await drafts.simulate({ storefront: play, draft: plain })).toMatchObject({
      is_new: false,
      notes: [],
    });
    const app = trackedApp({}, play);
    const { run_id: runId } = await drafts.simulate({ app, draft: { kw_field: 'crop' } });
    expect((await drafts.get(runId)).run?.edited).toBe(false);
  });

  test.each([
    [null, { rating: 4.5 }, 'rating_count is 0, so the rating is not counted: send both.'],
    [null, { rating_count: 500 }, 'rating is null, so the rating_count is not counted: send both.'],
    [trackedApp(), { rating: null }, 'rating is null, so the rating_count is not counted: send both.'],
    [trackedApp(), { rating: 0 }, 'rating is 0, so the rating_count is not counted: send both.'],
    [trackedApp(), { rating_count: 0 }, 'rating_count is 0, so the rating is not counted: send both.'],
    [null, { rating: 4.5, rating_count: 500 }, null],
    [null, { rating: null }, null],
    [null, { screenshots: 3 }, null],
    [trackedApp(), { rating: 3 }, null],
    [trackedApp({ score: 4, ratings: 0 }), { screenshots: 3 }, null],
  ])(
    'a rating counts only together with its count: app %j with context %j gets the note %j',
    async (app, sent, note) => {
      const context = Object.fromEntries(Object.entries(sent).map(([key, value]) => [key, { value }]));
      const reply = await drafts.simulate({ app, storefront: us, context: { ...nothingSent, ...context } });
      expect(reply.notes).toEqual(note === null ? [] : [note]);
    },
  );

  test('installs come from the live app, so that a draft of it has its tier', async () => {
    const app = trackedApp({ ratings: 10, installs: 20_000_000 }, play);
    expect((await drafts.simulate({ app })).aso_health?.tier).toBe(3);
    const fresh = await drafts.simulate({ storefront: play, draft: { title: 'Harbour Camera' } });
    expect(fresh.aso_health?.tier).toBe(1);
  });
});

const kwField = 'crop,filter,lens,collage,frame,effects,retouch,sticker,grid,film,blur,light';

describe('a keywords field', () => {
  test('of twelve good words raises coverage where none is known: delta compares with an empty one', async () => {
    const app = trackedApp();
    for (const word of ['harbour', 'camera', 'photo', 'editor'])
      drafts.measurer.setScore(word, { traffic: 90 });
    for (const word of kwField.split(',')) drafts.measurer.setScore(word, { traffic: 15 });
    const own = (await drafts.simulate({ app })).aso_health;
    const reply = await drafts.simulate({ app, draft: { kw_field: kwField } });
    const basis = reply.delta_basis?.aso_health;
    expect(reply.delta_basis).toEqual({ kw_field: 'empty', aso_health: { ...own, ...basis } });
    // A mean with an empty field, of a quarter of the weight: 0.75 of that of name and subtitle.
    expect(basis?.coverage).toBe(Math.round(0.75 * (own?.coverage ?? 0)));
    expect(reply.delta?.coverage).toBe((reply.aso_health?.coverage ?? 0) - (basis?.coverage ?? 0));
    expect(reply.delta?.coverage).toBeGreaterThan(10);
    // The score of the listing without the field would make the words look like a loss.
    expect(reply.aso_health?.coverage).toBeLessThan(own?.coverage ?? 0);
    expect(reply.delta?.global).toBeGreaterThan(0);
    expect(reply.delta?.global).toBe((reply.aso_health?.global ?? 0) - (basis?.global ?? 0));
    expect(reply.notes).toEqual([expect.stringContaining('whose scores are in delta_basis')]);
    const run = await drafts.get(reply.run_id);
    expect(run).toMatchObject({ delta: reply.delta, delta_basis: reply.delta_basis });
    expect(run.run?.baseline_global).toBe(own?.global);
  });

  test('that lowers targeting with a word of another’s business has a note that names it, and no word of the listing', async () => {
    const brand = { app_id: 'com.example.other', developer_name: 'Somebody' };
    drafts.measurer.setScore('lens', { traffic: 60, brand });
    drafts.measurer.setScore('crop', { difficulty: 100 });
    const { delta, notes } = await drafts.simulate({ app: trackedApp(), draft: { kw_field: 'lens,crop' } });
    expect(delta?.coverage).toBeGreaterThan(0);
    expect(delta?.targeting).toBeLessThan(0);
    expect(notes.at(-1)).toMatch(/targeting falls by .* hardly the app’s business \(“lens”\)\.$/);
  });

  test('that is sent as empty has a delta of 0', async () => {
    const { delta } = await drafts.simulate({ app: trackedApp(), draft: { kw_field: '' } });
    expect(delta).toEqual(unchangedScores);
  });

  test.each([
    ['no draft of it', { app: trackedApp(), draft: { title: 'Photo editor' } }],
    ['no app', { storefront: us, draft }],
    ['an app of Google Play', { app: trackedApp({}, play), draft: { kw_field: kwField } }],
  ])('has no basis of its own with %s', async (_what, request) => {
    const { delta_basis: basis, run_id: runId } = await drafts.simulate(request);
    expect([basis, (await drafts.get(runId)).delta_basis]).toEqual([null, null]);
  });

  test('that is not comparable yet has a basis without scores, and a note says why', async () => {
    const app = trackedApp();
    failReads((keyword) => keyword === 'camera');
    const request = { app, draft: { title: 'Collage', subtitle: 'Lens', kw_field: kwField } };
    const { delta, delta_basis: basis, notes } = await drafts.simulate(request);
    expect(basis).toEqual({ kw_field: 'empty', aso_health: null });
    expect(delta).toMatchObject({ ...incomparable, appeal: 0 });
    expect(notes.at(-1)).toContain('Too few words of the app’s own listing');
  });
});

describe('the keywords field that the account keeps', () => {
  const app = trackedApp();
  const keep = (text: string, accountId = 'ann') =>
    drafts.keywordsFields.save({ account_id: accountId, listing_id: app.id }, text, drafts.clock.at);

  test('is that of the app: a draft without one has it, and is compared with the listing that has it', async () => {
    await keep('crop,filter');
    const unchanged = await drafts.simulate({ app });
    expect(unchanged).toMatchObject({
      listing: { kw_field: 'crop,filter' },
      delta: unchangedScores,
      delta_basis: null,
      notes: [],
    });
    expect(unchanged.flags.map(({ code }) => code)).not.toContain('KW_FIELD_UNKNOWN');
    const run = await drafts.get(unchanged.run_id);
    expect(run).toMatchObject({ kw_field_known: true, run: { edited: false } });
    expect(run.run?.baseline_global).toBe(unchanged.aso_health?.global);

    const longer = await drafts.simulate({ app, draft: { kw_field: kwField } });
    expect(longer).toMatchObject({ delta_basis: null, notes: [] });
    expect(longer.delta?.coverage).toBe(
      (longer.aso_health?.coverage ?? 0) - (unchanged.aso_health?.coverage ?? 0),
    );
    expect(longer.delta?.coverage).toBeGreaterThan(0);
    expect((await drafts.get(longer.run_id)).run).toMatchObject({
      edited: true,
      baseline_global: unchanged.aso_health?.global,
    });
  });

  test('is not that of another account, nor of another app', async () => {
    await keep('crop,filter', 'bob');
    const reply = await drafts.simulate({ app });
    expect(reply.listing?.kw_field).toBe('');
    expect(reply.flags.map(({ code }) => code)).toContain('KW_FIELD_UNKNOWN');
    const bob = await drafts.simulate({ app, account_id: 'bob' });
    expect(bob.listing?.kw_field).toBe('crop,filter');
    const other = await drafts.simulate({ app: { ...app, id: 8 }, account_id: 'bob' });
    expect(other.listing?.kw_field).toBe('');
  });

  test('makes another draft of an omitted field once it changes; the app’s stored audit never has it', async () => {
    const first = await drafts.simulate({ app });
    const stored = await drafts.audits.find(app.id);
    await keep('crop,filter');
    const second = await drafts.simulate({ app });
    expect([second.is_new, second.run_id === first.run_id]).toEqual([true, false]);
    expect(await drafts.audits.find(app.id)).toEqual(stored);
  });

  test('whose words are not read gives no delta yet, and a note says why', async () => {
    await keep('crop,filter');
    await drafts.simulate({ app, account_id: 'bob' });
    const reply = await drafts.simulate({ app, draft: { kw_field: 'lens' } });
    expect(reply.delta).toMatchObject({ ...incomparable, appeal: 0 });
    expect(reply.notes).toEqual([expect.stringContaining('Some words of the app’s own listing')]);
    expect(reply.notes[0]).toContain('“crop”');
  });
});

describe('what a draft is compared with', () => {
  test('the app’s stored score, axis by axis, as of the time of the run', async () => {
    const app = trackedApp();
    const first = await drafts.simulate({ app });
    const run = await drafts.get(first.run_id);
    expect(run.run?.baseline_global).toBe(first.aso_health?.global);

    const report = (await drafts.simulationRuns.find('ann', first.run_id))?.report;
    if (!report) throw new Error('there is a report');
    const axes = report.axes.map(({ key, score }) => ({ key, score: score - 5 }));
    await drafts.setAudit(7, { ...report, axes, global: 11 });
    const second = await drafts.simulate({ app });
    const global = (second.aso_health?.global ?? 0) - 11;
    expect(second).toMatchObject({ run_id: first.run_id, is_new: false });
    expect(second.delta).toEqual({ global, coverage: 5, targeting: 5, appeal: 5 });
    await drafts.setAudit(7, { ...report, global: 99 });
    expect(await drafts.get(first.run_id)).toMatchObject({
      delta: second.delta,
      run: { baseline_global: 11 },
    });
  });

  test('an app that was audited before its words were measured is audited again, so that its unchanged listing has a delta of 0', async () => {
    const app = trackedApp();
    const pending = await drafts.auditor.followAndAudit(readTrackedListing(app), 'request-0');
    expect(pending.report.global).toBe(0);
    const reply = await drafts.simulate({ app });
    expect(reply.aso_health?.coverage).toBeGreaterThan(0);
    expect(reply.delta).toEqual(unchangedScores);
    expect((await onlyRun()).run?.baseline_global).toBe(reply.aso_health?.global);
  });

  test('a word that is measured again for the draft counts on both sides', async () => {
    const app = trackedApp();
    await drafts.simulate({ app });
    drafts.clock.advance(weekMs);
    drafts.measurer.setScore('camera', { traffic: 5 });
    expect((await drafts.simulate({ app })).delta).toEqual(unchangedScores);
  });

  describe('with the app’s ranks for other forms', () => {
    /** Keeps a page of that day on which the apps follow each other in this order. */
    const keepPage = ({ store }: { store: Store }, keyword: string, appIds: string[], day = '2026-03-10') =>
      drafts.terms.model.updateOne(
        { store, keyword },
        { $set: { ranking: { day, app_ids: appIds }, form: keyword.replace(/s$/, '') } },
      );
    const ownId = fakeListing('1001').app_id;

    test('a draft with another form of a term keeps the rank of the form that it drops', async () => {
      const app = trackedApp({ title: 'Photos', subtitle: '' });
      await drafts.simulate({ app });
      await drafts.simulate({ app, draft: { title: 'Photo' } });
      await keepPage(us, 'photos', ['another', 'one more', ownId]);
      await keepPage(us, 'photo', ['another']);
      await drafts.auditor.audit(7, 'request-0');
      const { run_id: runId } = await drafts.simulate({ app, draft: { title: 'Photo' } });
      const run = await drafts.simulationRuns.find('ann', runId);
      expect(run?.report?.targeting.keywords).toMatchObject([{ name: 'photo', rank: 3, gain: 1 }]);
    });

    test('an unchanged listing of Google Play has a delta of 0, whatever other forms of its description have pages', async () => {
      const app = trackedApp({ title: 'Camera', subtitle: '', description: 'Photos' }, play);
      await drafts.simulate({ app });
      await drafts.simulate({ app, draft: { description: 'Photo' } });
      await keepPage(play, 'photos', ['another']);
      await keepPage(play, 'photo', [ownId]);
      await drafts.auditor.audit(7, 'request-0');
      const { delta } = await drafts.simulate({ app });
      expect(delta).toEqual(unchangedScores);
    });

    /** What a draft has of each aimed term, and its delta. */
    async function scoreDraft(request: Parameters<Drafts['simulate']>[0]) {
      const { run_id: runId, delta } = await drafts.simulate(request);
      const run = await drafts.simulationRuns.find('ann', runId);
      const keywords = run?.report?.targeting.keywords ?? [];
      return {
        delta,
        terms: keywords.map(({ name, rank, relevance, gain }) => ({ name, rank, relevance, gain })),
      };
    }

    test('no word of a draft changes the rank of another form, in whatever field it is', async () => {
      const app = trackedApp({ title: 'Photo', subtitle: '', description: 'Nothing' }, play);
      await drafts.simulate({ app });
      await drafts.simulate({ app, draft: { description: 'Photos' } });
      await keepPage(play, 'photo', ['another']);
      await keepPage(play, 'photos', ['another']);
      await drafts.auditor.audit(7, 'request-0');
      await keepPage(play, 'photos', [ownId]);
      const rankIn = async (draft: { title?: string; subtitle?: string; description?: string }) =>
        (await scoreDraft({ app, draft })).terms.find(({ name }) => name === 'photo')?.rank;
      expect(await rankIn({ description: 'Photos' })).toBeNull();
      expect(await rankIn({ subtitle: 'Photos' })).toBeNull();
      const { terms } = await scoreDraft({ app, draft: { title: 'Photos' } });
      expect(terms).toMatchObject([{ name: 'photos', rank: 1, gain: 1 }]);
    });

    test('until the audit is made again, a draft scores the same on any day, whatever other pages are kept', async () => {
      const app = trackedApp({ title: 'Camera', subtitle: '' });
      const draft = { title: 'Camera', subtitle: 'Photo' };
      await drafts.simulate({ app });
      await drafts.simulate({ app, draft });
      await drafts.simulate({ account_id: 'bob', storefront: us, draft: { title: 'Photos' } });
      await keepPage(us, 'photo', ['another']);
      await keepPage(us, 'photos', ['another', ownId]);
      await drafts.auditor.audit(7, 'request-0');
      const score = () => scoreDraft({ app, draft });
      const first = await score();
      expect(first.delta?.targeting).not.toBeNull();
      await keepPage(us, 'photos', [ownId]);
      expect(await score()).toEqual(first);
      await keepPage(us, 'photos', [ownId], '2026-03-11');
      drafts.clock.advance(20 * 3_600_000);
      expect(await score()).toEqual(first);
    });
  });

  test.each([
    ['while a quarter of the words of the app is not read', trackedApp(), 'Too few words'],
    [
      'while a word of the app is not read',
      trackedApp({ subtitle: 'Photo editor collage' }),
      'Some words of the app’s own listing',
    ],
  ])(
    '%s, only appeal is compared, and a note says why; no baseline is stored before the app’s score is shown',
    async (_what, app, note) => {
      failReads((keyword) => keyword === 'camera');
      const context = { ...nothingSent, screenshots: { value: 6 } };
      await drafts.simulate({ app });
      const reply = await drafts.simulate({ app, draft: { title: 'Lens' }, context });
      expect(reply.notes).toEqual([expect.stringContaining(note)]);
      expect(reply.delta_bounds).toBeNull();
      const appeal = reply.delta?.appeal ?? 0;
      expect(appeal).toBeGreaterThan(0);
      expect(reply.delta).toEqual({ ...incomparable, appeal });
      const { delta, run } = await drafts.get(reply.run_id);
      expect(delta).toEqual({ ...incomparable, appeal });
      expect(run?.baseline_global == null).toBe(note === 'Too few words');
      expect(run?.baseline_global).not.toBe(0);
    },
  );

  test('a draft whose pages cannot be read has no scores, instead of 0, although suggestions are known', async () => {
    const app = trackedApp();
    // As the daily run leaves them while only the search of the store is down.
    const suggestedOnly = { difficulty: null, traffic: 60, search_status: 'ungraded' } as const;
    for (const word of ['harbour', 'camera', 'photo', 'editor'])
      drafts.measurer.setScore(word, suggestedOnly);
    failReads((keyword) => keyword.includes(' '));
    const reply = await drafts.simulate({ app });
    expect(reply).toMatchObject({ aso_health: null, words_probed: 0 });
    expect(reply.delta).toEqual({ ...incomparable, appeal: 0 });
    expect(reply.notes).toHaveLength(2);
    expect(reply.notes[0]).toContain('it has no scores');
    const { run, report, delta } = await onlyRun();
    expect([run?.aso_health, run?.baseline_global ?? null, report]).toEqual([null, null, null]);
    expect(delta).toEqual(reply.delta);
    const [row] = (await drafts.list()).runs;
    expect([row?.aso_health, row?.baseline_global ?? null]).toEqual([null, null]);
    // The store recovers, and the same draft replaces the row.
    for (const word of ['harbour', 'camera', 'photo', 'editor'])
      drafts.measurer.setScore(word, { difficulty: 20, search_status: 'searched' });
    drafts.measurer.hooks.beforeMeasure = async () => {};
    drafts.clock.advance(weekMs);
    const again = await drafts.simulate({ app });
    expect(again.run_id).toBe(reply.run_id);
    expect(again.aso_health?.global).toBeGreaterThan(0);
    expect((await onlyRun()).run?.baseline_global).toBe(again.aso_health?.global);
  });

  test('while a word of the draft is pending, only appeal is compared', async () => {
    const app = trackedApp();
    const { aso_health: asoHealth } = await drafts.simulate({ app });
    failReads();
    const reply = await drafts.simulate({ app, draft: { title: 'Harbour Collage' } });
    expect(reply.delta).toEqual({ ...incomparable, appeal: 0 });
    expect((await drafts.get(reply.run_id)).run?.baseline_global).toBe(asoHealth?.global);
  });

  test('a note says that a draft with scores is not compared while one of its words is pending', async () => {
    const app = trackedApp();
    await drafts.simulate({ app });
    failReads((keyword) => keyword === 'collage');
    const subtitle = 'Photo editor collage';
    const reply = await drafts.simulate({ app, draft: { subtitle } });
    expect(reply.aso_health).not.toBeNull();
    expect(reply.delta).toEqual({ ...incomparable, appeal: 0 });
    expect(reply.notes).toEqual([
      expect.stringContaining('could not be read'),
      expect.stringContaining('its scores are not compared with those of the app'),
    ]);
  });
});

describe('a pending phrase', () => {
  const app = trackedApp();
  const subtitle = 'Photo collage maker';
  const unreadPhrases = ['photo collage', 'collage maker', 'photo collage maker'];
  const strange = { brand: { app_id: 'com.example.other', developer_name: 'Somebody' } };

  /** The draft while phrases are unread or partial, and once they have these scores. */
  async function readLater(
    isPartial: boolean,
    later: Partial<Parameters<Drafts['measurer']['setScore']>[1]>,
  ) {
    await drafts.simulate({ app });
    if (isPartial)
      for (const phrase of unreadPhrases)
        drafts.measurer.setScore(phrase, {
          search_status: 'pending',
          is_partial: true,
        });
    else failReads((keyword) => unreadPhrases.includes(keyword));
    const before = await drafts.simulate({ app, draft: { subtitle } });
    drafts.measurer.hooks.beforeMeasure = async () => {};
    const complete = { is_partial: false, search_status: 'searched' } as const;
    for (const phrase of unreadPhrases) drafts.measurer.setScore(phrase, { ...complete, ...later });
    drafts.clock.advance(weekMs);
    return { before, after: await drafts.simulate({ app, draft: { subtitle } }) };
  }

  test.each([
    ['unread', false],
    ['partial', true],
  ])(
    'of a draft that is %s keeps no delta from being known; once it is read, the delta lies within the bounds',
    async (_what, isPartial) => {
      const outcomes = [
        { traffic: 0, search_status: 'unsearched' },
        { traffic: 100, difficulty: 0 },
        { traffic: 100, difficulty: 100 },
        { traffic: 60, ...strange },
      ] as const;
      for (const outcome of outcomes) {
        drafts = await startDrafts();
        const { before, after } = await readLater(isPartial, outcome);
        expect(before.delta).toEqual({
          global: expect.any(Number),
          coverage: expect.any(Number),
          targeting: expect.any(Number),
          appeal: 0,
        });
        expect(before.notes.at(-1)).toContain('delta_bounds says what they could change');
        expect(after.delta_bounds).toBeNull();
        for (const key of ['global', 'coverage', 'targeting'] as const) {
          const { min, max } = before.delta_bounds?.[key] ?? { min: Number.NaN, max: Number.NaN };
          for (const delta of [before.delta?.[key], after.delta?.[key]]) {
            expect(delta).toBeGreaterThanOrEqual(min);
            expect(delta).toBeLessThanOrEqual(max);
          }
        }
      }
    },
  );

  test('of the app is bounded, too, and a note names it; both are saved with the run', async () => {
    failReads((keyword) => keyword === 'harbour camera');
    await drafts.simulate({ app });
    const reply = await drafts.simulate({ app, draft: { title: 'Lens' } });
    expect(reply.delta?.targeting).toEqual(expect.any(Number));
    expect(reply.delta_bounds?.targeting?.min).toBeLessThan(reply.delta?.targeting ?? -100);
    expect(reply.notes.at(-1)).toContain('(not read: “harbour camera”)');
    expect((await drafts.get(reply.run_id)).delta_bounds).toEqual(reply.delta_bounds);
  });

  test('of a draft without an app bounds nothing', async () => {
    failReads((keyword) => keyword === 'photo editor');
    const reply = await drafts.simulate({ storefront: us, draft: { title: 'Photo editor' } });
    expect([reply.delta, reply.delta_bounds]).toEqual([null, null]);
  });
});

describe('the words of a draft', () => {
  test('are listed by field and saved with the run that asks for them; the next run replaces them', async () => {
    const reply = await drafts.simulate({ storefront: us, draft, include_words: true });
    expect(
      reply.fields.map(({ key, words }) => [key, words.map(({ name, status }) => [name, status])]),
    ).toEqual([
      [
        'title',
        [
          ['photo', 'earning'],
          ['editor', 'earning'],
        ],
      ],
      ['subtitle', [['collage', 'earning']]],
      ['kw_field', [['crop', 'earning']]],
      ['description', []],
    ]);
    const run = await drafts.get(reply.run_id);
    expect([run.has_words, run.report?.fields]).toEqual([true, reply.fields]);
    const again = await drafts.simulate({ storefront: us, draft });
    expect([again.is_new, again.fields]).toEqual([false, []]);
    const without = await drafts.get(reply.run_id);
    expect([without.has_words, without.report?.fields.flatMap(({ words }) => words)]).toEqual([false, []]);
  });

  test('are not listed while too few of them are read', async () => {
    failReads((keyword) => keyword !== 'photo');
    const reply = await drafts.simulate({ storefront: us, draft, include_words: true });
    expect([reply.aso_health, reply.fields]).toEqual([null, []]);
    expect((await drafts.get(reply.run_id)).has_words).toBe(false);
  });
});

describe('the version of the formulas', () => {
  test('is that of the run, in the answer, the list and the full record', async () => {
    const reply = await drafts.simulate({ storefront: us, draft });
    expect(reply.scoring_version).toBe(scoringVersion);
    expect((await drafts.list()).runs).toMatchObject([{ scoring_version: scoringVersion }]);
    expect((await drafts.get(reply.run_id)).run?.scoring_version).toBe(scoringVersion);
  });

  test.each([-1, 1])(
    'is that of the app’s score, too: an audit of a version %d away is not compared with, but made again',
    async (distance) => {
      const app = trackedApp();
      const first = await drafts.simulate({ app });
      const report = (await drafts.audits.find(app.id))?.report;
      if (!report) throw new Error('there is an audit');
      await drafts.setAudit(app.id, { ...report, global: 1 }, true, scoringVersion + distance);
      const second = await drafts.simulate({ app });
      expect(second.delta).toEqual(unchangedScores);
      expect((await drafts.get(second.run_id)).run?.baseline_global).toBe(first.aso_health?.global);
    },
  );
});

describe('words', () => {
  test('unknown words are measured, the most important first; known ones are not measured again', async () => {
    const first = await drafts.simulate({ storefront: us, draft: { title: 'Photo editor' } });
    expect(first).toMatchObject({ words_probed: 3, words_fetched: 3 });
    expect(drafts.measurer.measured).toEqual(['photo', 'editor', 'photo editor']);
    const again = await drafts.simulate({ storefront: us, draft: { title: 'Photo collage' } });
    expect(again).toMatchObject({ words_probed: 3, words_fetched: 2 });
    expect(drafts.measurer.measured.slice(3)).toEqual(['collage', 'photo collage']);
    drafts.clock.advance(weekMs - 1);
    expect(await drafts.simulate({ storefront: us, draft: { title: 'Photo editor' } })).toMatchObject({
      words_fetched: 0,
      stale_since: null,
    });
    expect(drafts.measurer.measured).toHaveLength(5);
  });

  test('a word read a week ago is read again, but does not count as fetched', async () => {
    await drafts.simulate({ storefront: us, draft: { title: 'Photo' } });
    drafts.clock.advance(weekMs);
    const reply = await drafts.simulate({ storefront: us, draft: { title: 'Photo' } });
    expect(reply).toMatchObject({ words_probed: 1, words_fetched: 0, stale_since: null });
    expect(drafts.measurer.measured).toEqual(['photo', 'photo']);
  });

  test('when no word can be read the run fails instead of scoring 0, is not stored, and its words are measured later', async () => {
    failReads();
    const title = 'One two three four five six seven eight nine ten eleven';
    await expect(drafts.simulate({ storefront: us, draft: { title } })).rejects.toMatchObject({
      code: 'STORE_FETCH_FAILED',
    });
    expect(await drafts.runs()).toEqual([]);
    // The terms in flight when the third one failed, and no others.
    expect(drafts.measurer.measured.length).toBeLessThanOrEqual(10);
    const requested = await drafts.connection.collection('terms').find({}).toArray();
    expect(requested.length).toBeGreaterThan(10);
    for (const term of requested) {
      expect(term.score).toBeNull();
      expect(term.due_at <= drafts.clock.at).toBe(true);
    }
  });

  test('a draft without words needs no store', async () => {
    const reply = await drafts.simulate({ storefront: us, draft: { title: '' } });
    expect(reply).toMatchObject({ words_probed: 0, notes: [], is_new: true });
  });

  test('a long description is scored by the words that were read in time, and a note counts the others', async () => {
    failReads((keyword) => keyword !== 'photo');
    const description = 'One two three four five six seven eight';
    const reply = await drafts.simulate({ storefront: play, draft: { title: 'Photo', description } });
    expect(reply).toMatchObject({ words_probed: 1, is_new: true });
    expect(reply.notes).toEqual([
      expect.stringMatching(
        /^8 of 9 words and phrases could not be read from the store in time \(not read: “\w+”, .* and 3 more\): the scores leave them out. Run it again in a minute.$/,
      ),
    ]);
  });

  test('occasional failures do not keep the other words from being read', async () => {
    let calls = 0;
    drafts.measurer.hooks.beforeMeasure = async () => {
      calls++;
      if (calls % 2 === 0) throw storeFailed();
    };
    const texts = { title: 'Photo editor', subtitle: 'Collage maker camera' };
    const reply = await drafts.simulate({ storefront: us, draft: texts });
    const terms = drafts.measurer.measured.length;
    expect(terms).toBe(9);
    expect(reply).toMatchObject({ words_probed: 5, words_fetched: 5 });
    expect(reply.notes).toEqual([expect.stringMatching(/^4 of 9 words and phrases could not be read /)]);
  });

  test('an older reading is used for a word that cannot be read now, and its age is returned', async () => {
    const readAt = drafts.clock.at;
    await drafts.simulate({ storefront: us, draft: { title: 'Photo' } });
    drafts.clock.advance(weekMs + 5);
    failReads();
    const reply = await drafts.simulate({ storefront: us, draft: { title: 'Photo editor' } });
    expect(reply).toMatchObject({ words_probed: 1, words_fetched: 0, stale_since: readAt });
  });

  test('a slow store has 20 seconds; words that it has not answered by then are pending', async () => {
    const { hooks, measured } = drafts.measurer;
    hooks.beforeMeasure = (keyword, { signal }) =>
      keyword === 'photo'
        ? Promise.resolve()
        : new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const running = drafts.simulate({ storefront: us, draft: { title: 'Photo editor' } });
    await until(() => measured.length === 3);
    expect(drafts.clock.sleeping()).toBe(1);
    drafts.clock.advance(20_000);
    expect(await running).toMatchObject({ words_probed: 1, words_fetched: 1, is_new: true });
    expect(drafts.clock.sleeping()).toBe(0);
  });

  test('a caller with little time left is answered in time, from what is known', async () => {
    const request = { storefront: us, draft: { title: 'Photo editor' } };
    await drafts.simulate({ storefront: us, draft: { title: 'Photo' } });
    const never = (_keyword: string, { signal }: { signal?: AbortSignal }) =>
      new Promise<void>((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    drafts.measurer.hooks.beforeMeasure = never;
    const running = drafts.simulate(request, within(5000));
    await until(() => drafts.clock.sleeping() === 1);
    drafts.clock.advance(1000);
    expect(await running).toMatchObject({
      words_probed: 1,
      words_fetched: 0,
      is_new: true,
      notes: [expect.stringMatching(/^2 of 3 words /)],
    });
  });

  test('an error that does not come from the store fails the run', async () => {
    drafts.measurer.hooks.beforeMeasure = async () => {
      throw new TypeError('a mistake');
    };
    await expect(drafts.simulate({ storefront: us, draft })).rejects.toThrow('a mistake');
    expect(await drafts.runs()).toEqual([]);
  });
});

describe('what is stored', () => {
  test('one row per draft: another run of it keeps the id, is counted and moves the row to the top', async () => {
    const first = await drafts.simulate({ storefront: us, draft });
    drafts.clock.advance(1000);
    const other = await drafts.simulate({ storefront: us, draft: { ...draft, title: 'Another' } });
    drafts.clock.advance(1000);
    drafts.measurer.setScore('photo', { traffic: 90 });
    const again = await drafts.simulate({ storefront: us, draft });
    expect([first.is_new, other.is_new, again.is_new]).toEqual([true, true, false]);
    expect(again.run_id).toBe(first.run_id);
    const { runs, total } = await drafts.list();
    expect(total).toBe(2);
    expect(runs.map(({ id, runs_count: runsCount }) => [id, runsCount])).toEqual([
      [first.run_id, 2],
      [other.run_id, 1],
    ]);
    expect(runs[0]).toEqual({
      id: first.run_id,
      app_id: null,
      storefront: us,
      title: 'Photo editor',
      aso_health: again.aso_health,
      baseline_global: null,
      delta_global: null,
      edited: true,
      runs_count: 2,
      last_run_at: drafts.clock.at,
      scoring_version: scoringVersion,
    });
  });

  test('the newest scores of a draft', async () => {
    const before = await drafts.simulate({ storefront: us, draft: { title: 'Photo' } });
    drafts.measurer.setScore('photo', { difficulty: 95 });
    drafts.clock.advance(weekMs);
    const after = await drafts.simulate({ storefront: us, draft: { title: 'Photo' } });
    expect(after.aso_health?.targeting).toBeLessThan(before.aso_health?.targeting ?? 0);
    const run = await onlyRun();
    expect(run.run?.aso_health).toEqual(after.aso_health);
    expect(run.report).toMatchObject({ global: after.aso_health?.global, computed_at: drafts.clock.at });
    expect(run.report?.flags).toEqual(after.flags);
    expect(run.report?.fields.map(({ words }) => words)).toEqual([[], [], [], []]);
  });

  test.each<[string, Parameters<Drafts['simulate']>[0]]>([
    ['another account', { account_id: 'bob', storefront: us, draft }],
    ['another storefront', { storefront: { ...us, country: 'GB' }, draft }],
    ['an app', { app: trackedApp(), draft }],
    ['another title', { storefront: us, draft: { ...draft, title: 'Photo editors' } }],
    ['another letter case', { storefront: us, draft: { ...draft, title: 'photo editor' } }],
    ['another subtitle', { storefront: us, draft: { ...draft, subtitle: '' } }],
    ['another description', { storefront: us, draft: { ...draft, description: '' } }],
    ['other keywords', { storefront: us, draft: { ...draft, kw_field: '' } }],
    ['a context', { storefront: us, draft, context: { ...nothingSent, screenshots: { value: 0 } } }],
    ['an unknown rating', { storefront: us, draft, context: { ...nothingSent, rating: { value: null } } }],
  ])('a draft with %s is a different draft', async (_what, request) => {
    const { run_id: runId } = await drafts.simulate({ storefront: us, draft });
    const other = await drafts.simulate(request);
    expect(other.is_new).toBe(true);
    expect(other.run_id).not.toBe(runId);
  });

  test('line endings do not make a draft different', async () => {
    await drafts.simulate({ storefront: us, draft: { ...draft, description: 'One\ntwo\nthree' } });
    const same = { ...draft, description: 'One\r\ntwo\rthree' };
    expect((await drafts.simulate({ storefront: us, draft: same })).is_new).toBe(false);
  });

  test('a new rating of the live app does not make a new draft, but a new title does', async () => {
    await drafts.simulate({ app: trackedApp(), draft: { subtitle: 'Collage' } });
    const rated = await drafts.simulate({
      app: trackedApp({ score: 3.1, ratings: 5 }),
      draft: { subtitle: 'Collage' },
    });
    expect(rated.is_new).toBe(false);
    expect((await onlyRun()).context).toMatchObject({ rating: 3.1, rating_count: 5 });
    const retitled = await drafts.simulate({
      app: trackedApp({ title: 'Harbour' }),
      draft: { subtitle: 'Collage' },
    });
    expect(retitled.is_new).toBe(true);
  });

  test('20 identical concurrent runs are one row that counts 20', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => drafts.simulate({ storefront: us, draft })),
    );
    expect(new Set(replies.map((reply) => reply.run_id)).size).toBe(1);
    expect(replies.filter((reply) => reply.is_new)).toHaveLength(1);
    expect((await onlyRun()).run?.runs_count).toBe(20);
  });

  test.each([
    ['20,000 units', `${'photo '.repeat(3333)}ed`],
    ['a dollar and a dot', '$where.title'],
    ['right-to-left marks', '\u202eمحرر\u202c'],
  ])('a text with %s is scored and stored', async (_what, title) => {
    const reply = await drafts.simulate({ storefront: us, draft: { title, description: title } });
    const { listing } = await drafts.get(reply.run_id);
    expect(listing).toEqual(reply.listing);
    expect(listing?.title).toBe(title);
    expect(await drafts.simulate({ storefront: us, draft: { title, description: title } })).toMatchObject({
      run_id: reply.run_id,
      is_new: false,
    });
  });
});

describe('what is refused', () => {
  const refusal = { code: 'INVALID_PARAMS' };
  const fieldsOf = async (running: Promise<unknown>) => {
    const error = await running.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(refusal);
    const { details } = error as { details: { issues: { fieldErrors: Record<string, string[]> } } };
    return Object.keys(details.issues.fieldErrors);
  };

  test('a storefront other than the app’s, with each differing part named', async () => {
    const other = { store: 'GPLAY', country: 'DE', lang: 'en-US' } as const;
    expect(await fieldsOf(drafts.simulate({ app: trackedApp(), storefront: other }))).toEqual([
      'store',
      'country',
    ]);
    const spelled = { ...us, country: 'us', lang: 'EN-us' };
    expect((await drafts.simulate({ app: trackedApp(), storefront: spelled })).is_new).toBe(true);
    const alias = { ...us, lang: 'en' };
    expect((await drafts.simulate({ app: trackedApp(), storefront: alias })).is_new).toBe(false);
  });

  test('a request with neither an app nor a storefront', async () => {
    expect(await fieldsOf(drafts.simulate({ draft }))).toEqual(['store']);
  });

  test('an app without its listing or id', async () => {
    expect(await fieldsOf(drafts.simulate({ app: { ...trackedApp(), listing: null } }))).toEqual(['app']);
    expect(await fieldsOf(drafts.simulate({ app: { ...trackedApp(), id: 0 } }))).toEqual(['app.id']);
  });

  test.each(['title', 'subtitle', 'description', 'kw_field'])(
    'a %s of more than 20,000 UTF-16 units',
    async (key) => {
      const sent = { [key]: 'x'.repeat(20_001) };
      expect(await fieldsOf(drafts.simulate({ storefront: us, draft: sent }))).toEqual([key]);
    },
  );

  test.each(['title', 'subtitle', 'description', 'kw_field'])(
    'a %s with NUL or half a surrogate pair',
    async (key) => {
      for (const text of ['Photo\u0000editor', 'Photo \ud83d editor', '\udc00'])
        expect(await fieldsOf(drafts.simulate({ storefront: us, draft: { [key]: text } }))).toEqual([key]);
    },
  );

  test.each<[keyof DraftContext, (number | null)[]]>([
    ['rating', [-0.1, 5.1, Number.NaN, Number.POSITIVE_INFINITY]],
    ['rating_count', [-1, 1.5, 10_000_000_001, null]],
    ['screenshots', [-1, 101, 2.5, null]],
    ['days_since_update', [-1, 3651, 0.5, null]],
    ['age_months', [-1, 601, 1.5]],
    ['language_count', [0, 501, 1.5, null]],
  ])('a %s out of range', async (key, values) => {
    for (const value of values) {
      const context = { ...nothingSent, [key]: { value } };
      expect(await fieldsOf(drafts.simulate({ storefront: us, draft, context }))).toEqual([`context.${key}`]);
    }
    expect(await drafts.runs()).toEqual([]);
  });

  test('an empty account id', async () => {
    expect(await fieldsOf(drafts.simulate({ account_id: '', storefront: us }))).toEqual(['account_id']);
  });
});
