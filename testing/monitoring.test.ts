import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { routes } from '@shelfwise/gateway/routes/index';
import { parse } from 'yaml';

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

type Rule = {
  alert?: string;
  record?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};
type Panel = {
  id: number;
  title: string;
  type: string;
  datasource?: { uid: string };
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit: string }; overrides: { matcher: { options: string } }[] };
  targets?: { expr: string; refId: string; datasource: { uid: string } }[];
};
type UnitTest = { promql_expr_test: { exp_samples: { labels: string; value: number }[] }[] };

const { groups } = parse(read('deploy/monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]));
const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
  panels: Panel[];
  annotations: { list: { expr: string }[] };
};

/** Every query of a rule or a panel, with its place. */
const queries: [place: string, query: string][] = [
  ...rules.map(({ alert, record, expr }): [string, string] => [alert ?? record ?? '', expr]),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [`panel ${title}`, expr]),
  ),
  ...dashboard.annotations.list.map(({ expr }): [string, string] => ['annotation', expr]),
];

/** Grafana replaces its variables before it sends a query. */
const withoutVariables = (query: string) => query.replaceAll('$__rate_interval', '5m');

function nodesOf(tree: Tree, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  tree.iterate({
    enter: ({ node }) => {
      if (node.name === name || (name === 'error' && node.type.isError)) found.push(node);
    },
  });
  return found;
}

/** The selectors of a query: the metric and the labels that it names. */
function selectorsOf(query: string): { metric: string; labels: string[] }[] {
  const text = (node: SyntaxNode) => query.slice(node.from, node.to);
  return nodesOf(parser.parse(query), 'VectorSelector').map((selector) => ({
    metric: text(selector.getChild('Identifier') ?? selector),
    labels: [...text(selector).matchAll(/[{,]\s*(\w+)\s*(?:=|!)/g)].map(([, label = '']) => label),
  }));
}

/** The labels by which a query groups or matches. */
function groupingsOf(query: string): string[] {
  return nodesOf(parser.parse(query), 'GroupingLabels').flatMap(
    ({ from, to }) => query.slice(from, to).match(/\w+/g) ?? [],
  );
}

/** The labels of each metric, from the code that registers it. Values of `le` and histogram suffixes are added. */
function readMetrics(): Map<string, string[]> {
  const folders = [
    'runtime',
    'gateway',
    ...readdirSync(join(root, 'services')).map((name) => `services/${name}`),
  ];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
      .map((path) => read(join(folder, 'src', path))),
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
      else for (const part of ['bucket', 'sum', 'count']) metrics.set(`${name}_${part}`, [...labels, 'le']);
    }
    for (const [, items = '', label = ''] of source.matchAll(
      /createDailyRunMetrics\([^)]*?items: '(\w+)',\s*label: '(\w+)'/g,
    ))
      for (const progress of ['due', 'read_today', 'late'])
        metrics.set(`shelfwise_${items}_${progress}`, [label]);
  }
  return metrics;
}

/** Of Node.js and of Prometheus. */
const others = [
  'up',
  'ALERTS',
  'nodejs_eventloop_lag_p99_seconds',
  'process_resident_memory_bytes',
  'process_cpu_seconds_total',
  'process_start_time_seconds',
  'process_open_fds',
  'process_max_fds',
];
const targetLabels = ['job', 'instance', 'alertname', 'alertstate'];

test.each(queries)('%s is a query that Prometheus understands', (_, query) => {
  expect(nodesOf(parser.parse(withoutVariables(query)), 'error')).toEqual([]);
});

test('a query with a mistake would be found', () => {
  for (const broken of ['sum by (a (b)', 'rate(a[5m]', 'a > > 1', 'a{b=c}'])
    expect(nodesOf(parser.parse(broken), 'error')).not.toEqual([]);
});

test('every metric of a rule or panel exists, with the labels that are named', () => {
  const metrics = readMetrics();
  expect(metrics.size).toBeGreaterThan(40);
  const missing: string[] = [];
  for (const [place, query] of queries) {
    const selectors = selectorsOf(withoutVariables(query));
    const known = new Set(targetLabels);
    for (const { metric, labels } of selectors) {
      const own = metrics.get(metric);
      if (recorded.has(metric)) for (const label of ['method', 'route', 'service']) known.add(label);
      else if (!own && !others.includes(metric)) missing.push(`${place}: ${metric}`);
      for (const label of own ?? []) known.add(label);
      for (const label of labels)
        if (!recorded.has(metric) && ![...(own ?? []), ...targetLabels].includes(label))
          missing.push(`${place}: ${metric}{${label}}`);
    }
    for (const label of groupingsOf(withoutVariables(query)))
      if (!known.has(label)) missing.push(`${place}: by ${label}`);
  }
  expect(missing).toEqual([]);
});

test('the names of metrics follow the conventions of Prometheus', () => {
  const wrong = [...readMetrics().keys()].filter((name) =>
    /_(ms|milliseconds|kb|mb|percent)(_|$)/.test(name),
  );
  expect(wrong).toEqual([]);
});

test('every alert says how bad it is, since when, what is wrong with the value, and where to read on', () => {
  expect(alerts.length).toBeGreaterThan(20);
  expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  for (const { alert, for: duration, labels, annotations } of alerts) {
    expect([alert, duration]).toEqual([alert, expect.stringMatching(/^\d+[mh]$/)]);
    expect(['critical', 'warning']).toContain(labels?.severity);
    expect(annotations?.summary).toBeTruthy();
    expect([alert, annotations?.description]).toEqual([alert, expect.stringContaining('$value')]);
    expect(annotations?.runbook).toBe(`docs/operations.md#${alert.toLowerCase()}`);
  }
});

test('ShelfwiseSlow leaves out the routes that wait for a store, and no others', () => {
  const slow = alerts.find(({ alert }) => alert === 'ShelfwiseSlow');
  const [, leftOut = ''] = /route!~"\/api\/v1\/\((.*?)\)"/.exec(slow?.expr ?? '') ?? [];
  // Calls that read only stored data have a deadline of five seconds.
  const waiting = routes.filter(({ method, deadlineMs }) => method === 'get' && deadlineMs > 5000);
  expect(leftOut.split('|').sort()).toEqual(waiting.map(({ path }) => path.replace('/api/v1/', '')).sort());
});

test('docs/operations.md has a section for each alert, and for no other', () => {
  const [, section = ''] = read('docs/operations.md').split(/^## Alerts$/m);
  const titles = [...(section.split(/^## /m)[0] ?? '').matchAll(/^### (\w+)$/gm)].map(([, title]) => title);
  expect(titles.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

test('each alert has a unit test of promtool in which it fires', () => {
  const { tests } = parse(read('deploy/monitoring/alerts-test.yml')) as { tests: UnitTest[] };
  const fired = tests.flatMap(({ promql_expr_test: checks }) =>
    checks.flatMap(({ exp_samples: samples }) =>
      samples.map(({ labels }) => /alertname="(\w+)"/.exec(labels)?.[1]),
    ),
  );
  expect([...new Set(fired)].sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

test('the panels of the dashboard have ids of their own, do not overlap, and use the data source that is chosen', () => {
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = new Set<string>();
  for (const { title, type, gridPos, targets = [], datasource } of panels) {
    const { x, y, w, h } = gridPos;
    expect(x + w).toBeLessThanOrEqual(24);
    for (let column = x; column < x + w; column++)
      for (let line = y; line < y + h; line++) {
        expect([title, cells.has(`${column} ${line}`)]).toEqual([title, false]);
        cells.add(`${column} ${line}`);
      }
    if (type === 'row') continue;
    expect(targets.length).toBeGreaterThan(0);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (const source of [datasource, ...targets.map((target) => target.datasource)])
      expect(source?.uid).toMatch(/^\$\{datasource\}$/);
  }
});

test('the unit of a panel is that of its queries, except where a query has one of its own', () => {
  const inUnit: Record<string, RegExp> = {
    ops: /\brate\(/,
    reqps: /\brate\(/,
    s: /_seconds/,
    bytes: /_bytes/,
  };
  const wrong = dashboard.panels.flatMap(({ title, targets = [], fieldConfig }) => {
    const query = inUnit[fieldConfig?.defaults.unit ?? ''] ?? /./;
    const ownUnits = fieldConfig?.overrides.map(({ matcher }) => matcher.options) ?? [];
    return targets
      .filter(({ refId, expr }) => !ownUnits.includes(refId) && !query.test(expr))
      .map(({ expr }) => `${title}: ${expr}`);
  });
  expect(wrong).toEqual([]);
});

test('every metric of our own is used by a rule or a panel', () => {
  const used = new Set(
    queries.flatMap(([, query]) => selectorsOf(withoutVariables(query))).map(({ metric }) => metric),
  );
  const base = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
  const usedBases = new Set([...used].map(base));
  expect([...new Set([...readMetrics().keys()].map(base))].filter((name) => !usedBases.has(name))).toEqual(
    [],
  );
});
