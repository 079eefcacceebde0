import { setTimeout as sleep } from 'node:timers/promises';
import { defineTimes } from './define-times.ts';
import { inStorefront, onSample, storefront, type TimedCall } from './on-sample.ts';
import { seedLists } from './seed-lists.ts';

const draft = { title: 'Habit Tracker: Daily Planner', subtitle: 'Routine & Goals, To Do List' };

export const times = defineTimes({
  name: 'score',
  question: 'How long do the scoring endpoints take, compared with a bare answer of the same bytes?',
  options: {
    calls: [40, 'calls per endpoint', [5, 500]],
    rows: [20_000, 'tracked keywords of all accounts', [12_000, 5_000_000]],
  },
  run: ({ calls, rows }) =>
    onSample('score-times', calls, async ({ sample, callers, table }) => {
      const { listingId: id } = await seedLists(sample, callers, { rows });
      const keywords = ['habit tracker', 'daily planner', 'routine'];
      const [first] = callers.apis;
      await first?.('POST', '/keywords', { keywords, app_id: id, ...storefront });
      await first?.('POST', '/metadata/simulate', { app_id: id, ...draft });
      // The audit is complete by then.
      await sleep(3000);
      const post = (path: string, body: NonNullable<TimedCall['body']>): TimedCall => ({
        method: 'POST',
        path,
        body,
      });
      let newWords = 0;
      /** A draft with 60 words without scores. */
      const newDraft = () => {
        const words = Array.from({ length: 60 }, () => `zorb${(newWords++).toString(36)}`);
        return { ...storefront, store: 'GPLAY', title: 'Zorb', subtitle: '', description: words.join(', ') };
      };
      const endpoints: [name: string, call: TimedCall][] = [
        ['#4 score history', { path: `/applications/${id}/scores/history` }],
        ['#5 stored audit', { path: `/applications/${id}/aso-health` }],
        ['#5 with its words', { path: `/applications/${id}/aso-health?include_words=true` }],
        ['#6 metadata check', post('/metadata/check', { store: 'ITUNES', ...draft })],
        ['#7 simulation, words known', post('/metadata/simulate', { app_id: id, ...draft })],
        ['#7 simulation, 60 new words', post('/metadata/simulate', newDraft)],
        ['#8 simulations', { path: '/metadata/simulate/history' }],
        [`#13 keywords, 1,000 of ${rows.toLocaleString('en')}`, { path: `/keywords?app_id=${id}` }],
        [
          '#18 inspection, snapshot of today',
          { path: `/keywords/inspect?keyword=habit%20tracker&${inStorefront}` },
        ],
        ['#19 inspections', { path: '/keywords/inspect/history' }],
      ];
      for (const [name, call] of endpoints) await table.show(name, callers, call);
    }),
});
