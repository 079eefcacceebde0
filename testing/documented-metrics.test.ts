import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
const workspaces = ['runtime', 'embedded', 'gateway', 'app', ...services];

const sources = workspaces
  .flatMap((workspace) =>
    readdirSync(join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => join(root, workspace, 'src', path)),
  )
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

const read = (path: string) => readFileSync(join(root, path), 'utf8');
/** Pages that may name metrics; docs/metrics.md has all of them. */
const otherPages = [
  ...workspaces.map((workspace) => `${workspace}/README.md`),
  'docs/operations.md',
  'docs/alerts.md',
  'docs/store-calls.md',
];

/** Names in the code; those of a daily run are made from its items. */
function registeredNames(): string[] {
  const created = sources.match(/\bnew (Gauge|Counter|Histogram|Summary)(<[^>]*>)?\(/g) ?? [];
  const named = [
    ...sources.matchAll(
      /\bnew (?:Gauge|Counter|Histogram|Summary)(?:<[^>]*>)?\(\{\s*name: ['`]([^'`]+)['`]/g,
    ),
  ].map(([, name = '']) => name);
  expect(named).toHaveLength(created.length);
  const ofDailyRuns = [...sources.matchAll(/createDailyRunMetrics\([^)]*?\bitems: '(\w+)'/g)].flatMap(
    ([, items]) => ['due', 'read_today', 'late'].map((progress) => `shelfwise_${items}_${progress}`),
  );
  expect(ofDailyRuns).not.toEqual([]);
  return [...named.filter((name) => !name.includes('$')), ...ofDailyRuns].sort();
}

function metricsIn(page: string): string[] {
  const databases = services.map((path) => path.replace('services/', 'shelfwise_').replaceAll('-', '_'));
  const isDatabase = (name: string) =>
    [...databases, 'shelfwise_gateway'].includes(name.replace(/_sample$/, ''));
  const named = [...read(page).matchAll(/`(shelfwise_[a-z_]+[a-z])(?:\{[^`]*)?`/g)].map(
    ([, name = '']) => name,
  );
  return [...new Set(named)].filter((name) => !isDatabase(name)).sort();
}

test('docs/metrics.md has every metric, and no other', () => {
  expect(metricsIn('docs/metrics.md')).toEqual(registeredNames());
});

test.each(otherPages)('the metrics that %s names exist', (page) => {
  expect(registeredNames()).toEqual(expect.arrayContaining(metricsIn(page)));
});
