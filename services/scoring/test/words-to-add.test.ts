import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { importances } from '../src/domain/term-schedule.ts';
import { termId } from '../src/stores/term-filters.ts';
import { buildApp, buildPage } from './build-reading.ts';
import { type Auditing, appIdOf, createAuditingHarness, trackedListing, us } from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

let auditing: Auditing;
beforeEach(async () => {
  auditing = await startAuditing();
});

/** A term with a page on which three developers name their apps by the same further words. */
async function measureWithTitles(keyword: string): Promise<void> {
  const titles = ['Pixly: Collage Maker', 'Gridly - Collage', 'Snaply Collage & Grid'];
  const apps = titles.map((title, at) =>
    buildApp({ app_id: `rival ${at}`, title, developer_name: `Developer ${at}` }),
  );
  await auditing.measure(keyword, { traffic: 50, difficulty: 40 }, [
    appIdOf(1),
    ...apps.map((app) => app.app_id),
  ]);
  await auditing.connection
    .collection<{ _id: string }>('terms')
    .updateOne({ _id: termId(us, keyword) }, { $set: { 'reading.page': buildPage(apps) } });
}

async function startAudited() {
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor' }));
  for (const keyword of ['photo', 'editor']) await measureWithTitles(keyword);
  await auditing.runDue();
}

const wordsToAdd = (report: AsoReport | null) =>
  report?.flags
    .find(({ code }) => code === 'SUBTITLE_UNDERUSED')
    ?.evidence.find(({ name }) => name === 'words_to_add')?.value?.value;

test('words of other apps’ titles are measured once the audit is shown, and then listed in its flags', async () => {
  await startAudited();
  const [listing] = await auditing.rows('listings');
  expect(listing?.candidates.terms).toEqual(['collage']);
  const requested = await auditing.connection
    .collection<{ _id: string; importance: number }>('terms')
    .findOne({ _id: termId(us, 'collage') });
  expect(requested).toMatchObject({ importance: importances.phrase, requested_until: expect.any(Date) });
  expect(wordsToAdd((await auditing.health(trackedListing(1))).report)).toBeUndefined();

  await auditing.measure('collage', { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
  await auditing.runDue();
  expect(wordsToAdd((await auditing.health(trackedListing(1))).report)).toEqual({
    terms: [
      {
        name: 'collage',
        traffic: 44,
        difficulty: 30,
        relevance: 1,
        scored_at: expect.any(Date),
        source: 'titles',
        rank: 1,
        genre_share: null,
        field: 'subtitle',
        global_delta: expect.any(Number),
      },
    ],
  });
});

test('the audit that chooses them is followed by the next one at once', async () => {
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor' }));
  for (const keyword of ['photo', 'editor']) await measureWithTitles(keyword);
  auditing.wakeWorker.mockClear();
  const [job] = await auditing.auditJobs.claim(1, false);
  if (!job) throw new Error('nothing is due');
  await auditing.auditJobs.run(job, { requestId: 'worker', signal: new AbortController().signal });
  expect(auditing.wakeWorker).toHaveBeenCalledTimes(1);
  expect(await auditing.runDue()).toBe(1);
  expect(auditing.wakeWorker).toHaveBeenCalledTimes(1);
});

test('the list is known to be empty when no other app names a word that the listing could add', async () => {
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor' }));
  for (const keyword of ['photo', 'editor'])
    await auditing.measure(keyword, { traffic: 50, difficulty: 40 }, [appIdOf(1)]);
  await auditing.runDue();
  expect(wordsToAdd((await auditing.health(trackedListing(1))).report)).toEqual({ texts: [] });
  expect(await auditing.runDue()).toBe(0);
});

test('they change no score, and are chosen again once a day', async () => {
  await startAudited();
  const before = (await auditing.health(trackedListing(1))).report;
  await auditing.measure('collage', { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
  await auditing.runDue();
  const after = (await auditing.health(trackedListing(1))).report;
  expect(after?.axes).toEqual(before?.axes);

  const findPages = jest.spyOn(auditing.terms, 'findPages');
  await auditing.measure('photo', { traffic: 51, difficulty: 40 }, [appIdOf(1)]);
  await auditing.runDue();
  expect(findPages).not.toHaveBeenCalled();
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  await auditing.runDue();
  expect(findPages).toHaveBeenCalledTimes(1);
});

test('what asks to choose them again while an audit chooses is not forgotten', async () => {
  await startAudited();
  auditing.clock.moveTo(slotOf(1, '2026-03-11'));
  const { findPages } = auditing.terms;
  const findPagesOnce = jest.spyOn(auditing.terms, 'findPages').mockImplementationOnce(async (...args) => {
    await auditing.listings.chooseAgain(1, auditing.clock.at);
    return findPages(...args);
  });
  await auditing.runDue();
  expect(findPagesOnce).toHaveBeenCalledTimes(2);
});

test('an audit that is not shown chooses none', async () => {
  await auditing.track(trackedListing(1));
  await auditing.runDue();
  const [listing] = await auditing.rows('listings');
  expect(listing?.candidates).toBeNull();
});

const namesOf = (report: AsoReport | null) => {
  const value = wordsToAdd(report);
  if (typeof value !== 'object' || !('terms' in value)) return [];
  return value.terms.map(({ name, source }) => [name, source]);
};

/** The harness answers with the words to add as an account sees them. */
const advised = async (accountId: string | null = 'ann') =>
  namesOf((await auditing.health(trackedListing(1), false, accountId)).report);

async function startWithoutTitles(shown: Parameters<typeof trackedListing>[1] = {}) {
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor', ...shown }));
  await auditing.measure(['photo', 'editor'], { traffic: 50, difficulty: 40 }, [appIdOf(1)]);
  await auditing.runDue();
}

describe('terms that an account tracks for the app', () => {
  test('are among the words to add that it sees, and that no other account sees', async () => {
    await startWithoutTitles();
    await auditing.measure('collage', { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
    await auditing.measure('grid', { traffic: 40, difficulty: 30 }, [appIdOf(1)]);
    await auditing.trackKeyword(1, 'collage', { account_id: 'ann' });
    await auditing.trackKeyword(1, 'grid', { account_id: 'bob' });
    auditing.clock.moveTo(slotOf(1, '2026-03-12'));
    await auditing.runDue();
    expect(await advised('ann')).toEqual([['collage', 'tracked']]);
    expect(await advised('bob')).toEqual([['grid', 'tracked']]);
    expect(await advised('cem')).toEqual([]);
    expect(await advised(null)).toEqual([]);
    for (const stored of [...(await auditing.rows('audits')), ...(await auditing.rows('listings'))])
      expect(JSON.stringify(stored)).not.toMatch(/collage|grid/);
  });

  test('are left out for a caller that does not show them, and nothing is computed anew', async () => {
    await startWithoutTitles();
    await auditing.measure('collage', { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
    await auditing.trackKeyword(1, 'collage', { account_id: 'ann' });
    const health = (withoutTracked: boolean) =>
      auditing.health(trackedListing(1), false, 'ann', { withoutTracked });
    const full = await health(false);
    const audit = jest.spyOn(auditing.terms, 'findAuditTerms');
    const { report, ...rest } = await health(true);
    expect(audit).not.toHaveBeenCalled();
    expect([namesOf(full.report), namesOf(report)]).toEqual([[['collage', 'tracked']], []]);
    const scoresOf = (one: AsoReport | null) => [one?.global, one?.axes, one?.flags.map(({ code }) => code)];
    expect(scoresOf(report)).toEqual(scoresOf(full.report));
    expect(rest).toMatchObject({ is_pending: false, is_partial: full.is_partial, timeline: full.timeline });
  });

  test('are not seen once the account does not track them any more, nor those of another app', async () => {
    await startWithoutTitles();
    await auditing.measure(['collage', 'grid'], { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
    await auditing.trackKeyword(1, 'collage');
    await auditing.trackKeyword(11, 'grid');
    expect(await advised()).toEqual([['collage', 'tracked']]);
    await auditing.untrackKeyword(1, 'collage', { at: new Date(auditing.clock.at.getTime() + 1000) });
    expect(await advised()).toEqual([]);
  });

  test('have their words measured, which stay private', async () => {
    await startWithoutTitles();
    await auditing.measure('photo collage', { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
    await auditing.trackKeyword(1, 'photo collage');
    auditing.clock.moveTo(slotOf(1, '2026-03-11'));
    await auditing.runDue();
    const term = await auditing.terms.find(us, 'collage');
    expect(term).toMatchObject({ importance: importances.phrase, requested_until: expect.any(Date) });
    expect(term?.public_until).toBeUndefined();
    expect(await advised()).toEqual([]);
    await auditing.measure('collage', { traffic: 30, difficulty: 30 }, [appIdOf(1)]);
    auditing.clock.moveTo(slotOf(1, '2026-03-12'));
    await auditing.runDue();
    expect(await advised()).toEqual([['photo collage', 'tracked']]);
    expect(await advised('bob')).toEqual([]);
  });

  test('change no score of a draft or a listing', async () => {
    await startWithoutTitles();
    const before = await auditing.health(trackedListing(1));
    await auditing.measure(['photos', 'editors'], { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
    await auditing.trackKeyword(1, ['photos', 'editors']);
    const after = await auditing.health(trackedListing(1));
    expect(after.report?.axes).toEqual(before.report?.axes);
    expect(after.report?.fields).toEqual(before.report?.fields);
  });
});

test('what only accounts have measured, known or tracked for the app, does not change what all see', async () => {
  const words = ['violin', 'window', 'zebra', ...Array.from('abcdefghijklmn', (letter) => `word${letter}`)];
  words.sort((one, other) => other.length - one.length || (one < other ? -1 : 1));
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor' }));
  await auditing.measure(['photo', 'editor'], { traffic: 50, difficulty: 40 }, [appIdOf(1)]);
  // The other way round, so that both have the same words and no common phrase.
  const apps = [words, words.toReversed()].map((shown, at) =>
    buildApp({ app_id: `rival ${at}`, title: shown.join(' '), developer_name: `Developer ${at}` }),
  );
  await auditing.connection
    .collection<{ _id: string }>('terms')
    .updateOne({ _id: termId(us, 'photo') }, { $set: { 'reading.page': buildPage(apps) } });
  const [known = '', unsearched = '', tracked = ''] = words;
  await auditing.measure(known, { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
  await auditing.measure(unsearched, { traffic: 1, difficulty: 30, search_status: 'unsearched' }, []);
  await auditing.measure(tracked, { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
  await auditing.trackKeyword(1, tracked, { account_id: 'bob' });
  await auditing.trackKeyword(1, `${known} ${tracked}`, { account_id: 'bob' });
  await auditing.runDue();
  const [listing] = await auditing.rows('listings');
  expect(listing?.candidates.terms).toEqual(words.slice(0, 15));
});

describe('kept pages on which the app ranks 30 or better', () => {
  const ranked = (rank: number) => [
    ...Array.from({ length: rank - 1 }, (_, at) => `other ${at}`),
    appIdOf(1),
  ];

  /** Another listing names its app by this word, so it is public. */
  async function keepPage(word: string, rank: number): Promise<void> {
    await auditing.track(trackedListing(12, { title: word }), 'bob');
    await auditing.runDue();
    await auditing.measure(word, { traffic: 44, difficulty: 30 }, ranked(rank));
    await auditing.runDue();
  }

  test.each([
    [30, [['collage', 'pages']]],
    [31, []],
  ])('a term of another listing, rank %i', async (rank, expected) => {
    await startWithoutTitles();
    await keepPage('collage', rank);
    auditing.clock.moveTo(slotOf(1, '2026-03-11'));
    await auditing.runDue();
    expect(await advised(null)).toEqual(expected);
  });

  test('terms that only accounts know are left out: tracked, drafted or of a kept keywords field', async () => {
    await startWithoutTitles();
    await auditing.keepField(trackedListing(1), 'collage', 'bob');
    await auditing.measure(['collage', 'grid', 'mosaic'], { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
    await auditing.trackKeyword(1, 'grid', { account_id: 'bob' });
    auditing.clock.moveTo(slotOf(1, '2026-03-11'));
    await auditing.runDue();
    expect(await advised('ann')).toEqual([]);
    for (const stored of [...(await auditing.rows('audits')), ...(await auditing.rows('listings'))])
      expect(JSON.stringify(stored)).not.toMatch(/collage|grid|mosaic/);
  });
});

test('phrases of the description that the store suggests', async () => {
  const description = 'Make a photo collage. A collage for every photo.';
  await startWithoutTitles({ description });
  const asked: string[] = [];
  await auditing.lookUp(async (prefix) => {
    asked.push(prefix);
    return ['collage', 'collage maker', 'photo collage'];
  });
  // `photo` is a common word.
  expect(asked).toEqual(['collage']);
  await auditing.runDue();
  await auditing.measure(['collage', 'photo collage'], { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
  await auditing.runDue();
  expect(await advised(null)).toEqual([['photo collage', 'description']]);
});

test('phrases of the description are also chosen if the calls of the week end before the last word', async () => {
  // An empty list counts twice, so that two words are left when the ten calls are used up.
  const words = 'mosaic puzzle violin zebra kitchen garden harbor collage'.split(' ');
  const description = words.map((word) => `${word} ${word}.`).join(' ');
  await startWithoutTitles({ description });
  const asked: string[] = [];
  await auditing.lookUp(async (prefix) => {
    asked.push(prefix);
    return prefix === 'mosaic' ? ['mosaic'] : [];
  });
  expect(asked.length).toBeLessThan(words.length);
  await auditing.runDue();
  await auditing.measure('mosaic', { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
  await auditing.runDue();
  expect(await advised(null)).toEqual([['mosaic', 'description']]);
});
