import type { Api } from '../../testing/system/api.ts';
import { defineTimes } from './define-times.ts';
import { appId, inStorefront, onSample, storefront } from './on-sample.ts';
import { seedKeptPages } from './seed-kept-pages.ts';

/** The goal: how many times as long as a bare Express answer of the same bytes an answer takes. */
const maxRatio = 15;

export const times = defineTimes({
  name: 'rivals',
  question:
    'How long do the keyword gap and the terms of an app take, compared with a bare answer of the same bytes?',
  options: {
    calls: [25, 'calls per list', [5, 500]],
    pages: [100_000, 'kept pages', [30_000, 1_000_000]],
    tracked: [1000, 'tracked keywords of each account', [10, 5000]],
  },
  run: ({ calls, pages, tracked }) =>
    onSample('rival-times', calls, async ({ sample, callers, table }) => {
      const few = { apis: callers.apis.slice(0, 4), accountIds: callers.accountIds.slice(0, 4) };
      const rivals = await listRivals(few.apis[0]);
      let id = 0;
      for (const api of few.apis) {
        id = (await api('POST', '/applications', { app_id: appId, ...storefront })).body.data.id;
        for (const rival of rivals)
          await api('POST', '/competitors', { app_id: id, competitor_app_id: rival, ...storefront });
      }
      await seedKeptPages(sample, { accountIds: few.accountIds, listingId: id, rivals, pages, tracked });
      const gap = `/applications/${id}/keyword-gap`;
      const lists: [name: string, path: string][] = [
        ['keyword gap, 50 of the tracked ones', gap],
        ['keyword gap, 50 of all', `${gap}?own_min_rank=21`],
        ['keyword gap, 1,000 of all', `${gap}?own_min_rank=21&per_page=1000`],
        ['terms of an app, 50', `/keywords/ranked-by?app_id=${rivals[0]}&${inStorefront}`],
        ['terms of an app, 1,000', `/keywords/ranked-by?app_id=${rivals[0]}&per_page=1000&${inStorefront}`],
      ];
      for (const [name, path] of lists) {
        const { ratio, cpuMs } = await table.show(name, few, { path });
        const goal = `goal of at most ${maxRatio} times ${ratio <= maxRatio ? 'reached' : 'MISSED'}`;
        console.log(`  ${cpuMs.toFixed(1)} ms of CPU; ${goal}`);
      }
    }),
});

/** The first three apps of a page of the sample that are not the app. */
async function listRivals(api: Api | undefined): Promise<string[]> {
  if (!api) throw new Error('there is no caller');
  const { body } = await api('GET', `/keywords/inspect?keyword=habit%20tracker&${inStorefront}`);
  const ids: string[] = body.data.ranking.map((app: { app_id: string }) => app.app_id);
  return ids.filter((one) => one !== appId).slice(0, 3);
}
