import type { Timeline } from '@shelfwise/dashboard/timeline';
import type { ListingChange } from '@shelfwise/proto/tracking/v1/tracking';
import { openBrowser } from './harness/browser.ts';
import { trackedListing } from './harness/sample-replies.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({ dashboard: { publicUrl: undefined } });
const application = { listing: trackedListing, keyword_count: 2, aso_health: null };
const texts = { title: 'Evernote: Notes', subtitle: 'Write', description: 'Notes.' };

const own: ListingChange = {
  id: '42:7',
  app: { app_id: '281796108', title: 'Evernote', is_own: true },
  date: '2026-06-08',
  version: '2.1',
  fields: [
    { field: 'title', before: 'Evernote', after: texts.title, words_added: ['notes'], words_removed: [] },
  ],
  screenshots: { added: 2, removed: 1 },
  icon_changed: true,
  effects: [],
  texts,
  texts_before: { ...texts, title: 'Before' },
};
const rivals: ListingChange = {
  ...own,
  id: '9:2',
  app: { app_id: '9', is_own: false },
  screenshots: { added: 0, removed: 0 },
  icon_changed: null,
  texts: null,
  texts_before: null,
};

beforeEach(() => {
  api.tracking.answer({
    listApplications: async () => ({ applications: [application], total: 1 }),
    getTrackedListing: async () => ({ listing: trackedListing }),
    listChanges: async () => ({ changes: [own, rivals], total: 30, truncated: false }),
    listNotes: async () => ({
      notes: [{ id: 3, date: '2026-06-10', text: 'Ads began', created_at: new Date('2026-06-10T09:00:00Z') }],
      total: 1,
    }),
  });
  api.scoring.answer({
    findSimulations: async () => ({
      found: [{ id: 12, delta_global: 5 }],
    }),
  });
});

async function openTimeline(path: string): Promise<Timeline> {
  const browser = openBrowser(api);
  await browser.signInByKey((await api.createKey()).key);
  const { body } = await browser.sendAs({ accept: 'application/json' }, 'GET', path);
  return body.model.timeline;
}

test.each(['/apps/42', '/apps/42/listing'])(
  '%s has changes and notes, and reads no effects',
  async (path) => {
    const fields = [{ name: 'title', before: 'Evernote', after: texts.title, added: ['notes'], removed: [] }];
    expect(await openTimeline(path)).toEqual({
      changes: [
        {
          id: '42:7',
          day: '2026-06-08',
          appName: 'Evernote',
          isOwn: true,
          fields,
          isOtherIcon: true,
          screenshots: { added: { state: 'known', value: 2 }, removed: { state: 'known', value: 1 } },
          simulation: { id: '12', predicted: { state: 'known', value: 5 } },
          hasEffect: true,
        },
        {
          id: '9:2',
          day: '2026-06-08',
          appName: '9',
          isOwn: false,
          fields,
          isOtherIcon: false,
          screenshots: null,
          simulation: null,
          hasEffect: false,
        },
      ],
      hasMore: true,
      notes: [{ id: '3', day: '2026-06-10', text: 'Ads began' }],
      missing: { changes: null, notes: null },
    });
    const asked = api.tracking.requests.find(({ method }) => method === 'listChanges')?.request;
    expect(asked).toMatchObject({ app_id: 42, competitors: true, effects: false, from: '2026-03-17' });
  },
);

test('changes of competitors hide no own one, which charts mark', async () => {
  api.tracking.answer({
    listChanges: async ({ competitors }) => ({
      changes: [competitors ? rivals : own],
      total: 30,
      truncated: false,
    }),
  });
  const asked = () =>
    api.tracking.requests.flatMap(({ method, request }) =>
      method === 'listChanges' ? [(request as { competitors: boolean }).competitors] : [],
    );
  const { changes } = await openTimeline('/apps/42');
  expect([changes.map(({ id }) => id), asked()]).toEqual([
    ['9:2', '42:7'],
    [true, false],
  ]);
});

test('an own change has no effect before seven days have passed', async () => {
  api.tracking.answer({
    listChanges: async () => ({ changes: [{ ...own, date: '2026-06-09' }], total: 1, truncated: false }),
  });
  const { changes, hasMore } = await openTimeline('/apps/42');
  expect([changes[0]?.hasEffect, hasMore]).toEqual([false, false]);
});

test('what was not answered is not shown as nothing', async () => {
  api.tracking.fail('listChanges', 'SERVICE_UNAVAILABLE');
  expect(await openTimeline('/apps/42')).toMatchObject({
    changes: [],
    notes: [{ id: '3' }],
    missing: { changes: 'no_answer', notes: null },
  });
});
