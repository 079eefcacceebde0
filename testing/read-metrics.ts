import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');

/** The labels of each series of our own metrics, from the code that registers it: a histogram has three kinds of series. */
export function readMetrics(): Map<string, string[]> {
  const folders = [
    'runtime',
    'gateway',
    ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
  ];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => readFileSync(join(root, folder, 'src', path), 'utf8')),
  );
  const metrics = new Map<string, string[]>();
  const definition =
    /new (Gauge|Counter|Histogram)(?:<[^>]*>)?\(\{\s*name: '(\w+)',([\s\S]*?)(?:registers|\}\))/g;
  for (const source of sources) {
    for (const [, kind, name = '', rest = ''] of source.matchAll(definition)) {
      const labels = [...(/labelNames: \[([^\]]*)\]/.exec(rest)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
        ([, label = '']) => label,
      );
      if (kind !== 'Histogram') metrics.set(name, labels);
      else {
        metrics.set(`${name}_bucket`, [...labels, 'le']);
        for (const part of ['sum', 'count']) metrics.set(`${name}_${part}`, labels);
      }
    }
    for (const [, items = '', label = ''] of source.matchAll(
      /createDailyRunMetrics\([^)]*?items: '(\w+)',\s*label: '(\w+)'/g,
    ))
      for (const progress of ['due', 'read_today', 'late'])
        metrics.set(`shelfwise_${items}_${progress}`, [label]);
  }
  return metrics;
}

/** The name of a metric, from that of one of its series. */
export const withoutSuffix = (series: string) => series.replace(/_(bucket|sum|count)$/, '');
