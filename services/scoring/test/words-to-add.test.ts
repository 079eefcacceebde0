import type { AsoReport } from '@shelfwise/proto/scoring/v1/aso_report';
import { slotOf } from '@shelfwise/runtime/jobs/daily-slot';
import { importances } from '../src/domain/term-schedule.ts';
import { termId } from '../src/stores/term-filters.ts';
import { buildApp, buildPage } from './build-reading.ts';
import { type Auditing, appIdOf, createAuditingHarness, trackedListing, us } from './start-auditing.ts';

const { startAuditing } = createAuditingHarness();

/** A term with a page on which three developers name their apps by the same further words. */
async function measureWithTitles(auditing: Auditing, keyword: string): Promise<void> {
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

async function startAudited(): Promise<Auditing> {
  const auditing = await startAuditing();
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor' }));
  for (const keyword of ['photo', 'editor']) await measureWithTitles(auditing, keyword);
  await auditing.runDue();
  return auditing;
}

const wordsToAdd = (report: AsoReport | null) =>
  report?.flags
    .find(({ code }) => code === 'SUBTITLE_UNDERUSED')
    ?.evidence.find(({ name }) => name === 'words_to_add')?.value?.value;

test('words of other apps’ titles are measured once the audit is shown, and then listed in its flags', async () => {
  const auditing = await startAudited();
  const [listing] = await auditing.rows('listings');
  expect(listing?.candidate_terms).toEqual(['collage']);
  const requested = await auditing.connection
    .collection<{ _id: string; importance: number }>('terms')
    .findOne({ _id: termId(us, 'collage') });
  expect(requested).toMatchObject({ importance: importances.phrase, requested_until: expect.any(Date) });
  expect(wordsToAdd((await auditing.health(trackedListing(1))).report)).toBeUndefined();

  await auditing.measure('collage', { traffic: 44, difficulty: 30 }, [appIdOf(1)]);
  await auditing.runDue();
  expect(wordsToAdd((await auditing.health(trackedListing(1))).report)).toEqual({
    terms: [{ name: 'collage', traffic: 44, difficulty: 30, relevance: 1, scored_at: expect.any(Date) }],
  });
});

test('the audit that chooses them is followed by the next one at once', async () => {
  const auditing = await startAuditing();
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor' }));
  for (const keyword of ['photo', 'editor']) await measureWithTitles(auditing, keyword);
  auditing.wakeWorker.mockClear();
  const [job] = await auditing.auditJobs.claim(1, false);
  if (!job) throw new Error('nothing is due');
  await auditing.auditJobs.run(job, { requestId: 'worker', signal: new AbortController().signal });
  expect(auditing.wakeWorker).toHaveBeenCalledTimes(1);
  expect(await auditing.runDue()).toBe(1);
  expect(auditing.wakeWorker).toHaveBeenCalledTimes(1);
});

test('the list is known to be empty when no other app names a word that the listing could add', async () => {
  const auditing = await startAuditing();
  await auditing.track(trackedListing(1, { title: 'Photo', subtitle: 'Editor' }));
  for (const keyword of ['photo', 'editor'])
    await auditing.measure(keyword, { traffic: 50, difficulty: 40 }, [appIdOf(1)]);
  await auditing.runDue();
  expect(wordsToAdd((await auditing.health(trackedListing(1))).report)).toEqual({ texts: [] });
  expect(await auditing.runDue()).toBe(0);
});

test('they change no score, and are chosen again once a day', async () => {
  const auditing = await startAudited();
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

test('an audit that is not shown chooses none', async () => {
  const auditing = await startAuditing();
  await auditing.track(trackedListing(1));
  await auditing.runDue();
  const [listing] = await auditing.rows('listings');
  expect(listing?.candidate_terms).toBeNull();
});
