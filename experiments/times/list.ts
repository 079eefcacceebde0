import { defineTimes } from './define-times.ts';
import { type Callers, onSample } from './on-sample.ts';
import { seedLists } from './seed-lists.ts';

/** The goal: how many times as long as a bare Express answer of the same bytes a list of 1,000 keywords takes. */
const maxRatio = 8;

export const times = defineTimes({
  name: 'list',
  question: 'How long do the large lists of an account take, compared with a bare answer of the same bytes?',
  options: {
    calls: [25, 'calls per list', [5, 500]],
    rows: [1_000_000, 'tracked keywords of all accounts', [12_000, 5_000_000]],
    only: ['', 'measures only the lists whose name contains the text'],
  },
  run: ({ calls, rows, only }) =>
    onSample('list-times', calls, async ({ sample, callers, table }) => {
      const { listingId: id } = await seedLists(sample, callers, { rows, hasApps: true });
      const first = { apis: callers.apis.slice(0, 1) };
      const lists: [name: string, path: string, who?: typeof first][] = [
        ['#13 keywords, 10', '/keywords?per_page=10'],
        ['#13 keywords, 100', '/keywords?per_page=100'],
        ['#13 keywords, 1,000', '/keywords?per_page=1000'],
        ['#13 keywords of an app, 1,000', `/keywords?app_id=${id}`],
        ['#13 50 of 1,000 by -traffic', '/keywords?sort=-traffic&per_page=50'],
        ['#13 50 of 1,000 by rank', '/keywords?sort=rank&per_page=50'],
        ['#13 50 of 1,000 by -delta', '/keywords?sort=-delta&per_page=50'],
        ['#13 50 of 1,000 with a text', '/keywords?search=keyword&per_page=50'],
        ['#2 applications, 1,000', '/applications'],
        ['#12 competitors, 999', '/competitors'],
        ['#17 rank history, 400 days', await rankHistoryPath(callers), first],
        ['movers of 1,000 keywords, 50', `/applications/${id}/movers?days=1`, first],
      ];
      for (const [name, path, who = callers] of lists) {
        if (!name.includes(only)) continue;
        const { ratio } = await table.show(name, who, { path });
        if (name === '#13 keywords, 1,000')
          console.log(`  goal of at most ${maxRatio} times ${ratio <= maxRatio ? 'reached' : 'MISSED'}`);
      }
    }),
});

/** The history of the keyword with the most days. */
async function rankHistoryPath({ apis: [api] }: Callers): Promise<string> {
  const rows: { keyword_id: number }[] = (await api?.('GET', '/keywords'))?.body.data ?? [];
  const newest = Math.max(...rows.map((row) => row.keyword_id));
  const to = new Date();
  const from = new Date(to.getTime() - 399 * 86_400_000);
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return `/keywords/${newest}/ranks/history?from=${day(from)}&to=${day(to)}`;
}
