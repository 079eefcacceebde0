import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SyntaxNode, Tree } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';
import { routes } from '@shelfwise/gateway/routes/index';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { parse } from 'yaml';
import { readMetrics, withoutSuffix } from './read-metrics.ts';

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
  targets?: { expr: string; legendFormat: string; refId: string; datasource: { uid: string } }[];
};
type UnitTest = { promql_expr_test?: { exp_samples: { labels: string; value: number }[] }[] };

const { groups } = parse(read('deploy/monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.flatMap((rule) => (rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }]));
const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json')) as {
  panels: Panel[];
  annotations: { list: { expr: string }[] };
};

/** Every query of a rule or a panel, and where it is. */
const queries: [source: string, query: string][] = [
  ...rules.map(({ alert, record, expr }): [string, string] => [alert ?? record ?? '', expr]),
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): [string, string] => [`panel ${title}`, expr]),
  ),
  ...dashboard.annotations.list.map(({ expr }): [string, string] => ['annotation', expr]),
];

/** Grafana replaces its variables before it sends a query. */
const withoutVariables = (query: string) => query.replaceAll('$__rate_interval', '5m');

/** The nodes of this name, and errors of the parser under the name `error`. */
function nodesOf(tree: Tree, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  tree.iterate({
    enter: ({ node }) => {
      if (node.name === name || (name === 'error' && node.type.isError)) found.push(node);
    },
  });
  return found;
}

/** The metrics that a query selects. */
function metricsOf(query: string): string[] {
  return nodesOf(parser.parse(query), 'VectorSelector').map((selector) => {
    const { from, to } = selector.getChild('Identifier') ?? selector;
    return query.slice(from, to);
  });
}

/** Prometheus adds them to every series that it scrapes. */
const targetLabels = ['job', 'instance'];

/** The labels of every series that a query may select. */
function readSeries(): Map<string, readonly string[]> {
  const series = new Map<string, readonly string[]>([['up', targetLabels]]);
  for (const [name, labels] of readMetrics()) series.set(name, [...labels, ...targetLabels]);
  const ofProcess = createMetrics({ withProcess: true }).registry.getMetricsAsArray();
  for (const metric of ofProcess) {
    // The types of prom-client leave out the labels.
    const { name, labelNames = [] } = metric as typeof metric & { labelNames?: string[] };
    if (!name.startsWith('shelfwise_')) series.set(name, [...labelNames, ...targetLabels]);
  }
  // prom-client has them on Linux only.
  if (process.platform !== 'linux')
    for (const name of ['process_open_fds', 'process_max_fds']) series.set(name, targetLabels);
  const ofAlerts = new Set<string>();
  for (const { alert, record, expr, labels } of rules) {
    const kept = [...(labelsOf(expr, series).labels ?? []), ...Object.keys(labels ?? {})];
    if (record !== undefined) series.set(record, kept);
    if (alert !== undefined) for (const label of kept) ofAlerts.add(label);
  }
  return series.set('ALERTS', [...ofAlerts, 'alertname', 'alertstate']);
}

/** What changes labels in a way that `labelsOf` does not follow, by the names of the parser. */
const notUnderstood = [
  'LabelReplace',
  'LabelJoin',
  'Scalar',
  'AbsentOverTime',
  'CountValues',
  'Topk',
  'Bottomk',
  'GroupRight',
];

/**
 * The labels of the result of a query, null for a scalar, and what cannot be right: metrics that do not exist, and labels
 * that the series to select or to group do not have.
 */
function labelsOf(query: string, series: ReadonlyMap<string, readonly string[]>) {
  const problems: string[] = [];
  const text = ({ from, to }: SyntaxNode) => query.slice(from, to);

  /** The labels of `by (…)` or `on (…)`, each of which all of the operands need. */
  function named(clause: SyntaxNode | null, ...operands: (readonly string[] | null)[]): string[] {
    const labels = clause?.getChild('GroupingLabels')?.getChildren('LabelName').map(text) ?? [];
    for (const label of labels)
      if (operands.some((own) => own && !own.includes(label))) problems.push(`by ${label}`);
    return labels;
  }

  function ofSelector(node: SyntaxNode): readonly string[] {
    const metric = text(node.getChild('Identifier') ?? node);
    const own = series.get(metric);
    if (!own) problems.push(metric);
    const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    for (const label of matchers.flatMap((matcher) => matcher.getChildren('LabelName').map(text)))
      if (own && !own.includes(label)) problems.push(`${metric}{${label}}`);
    return own ?? [];
  }

  function ofAggregation(node: SyntaxNode): readonly string[] {
    ofChildren(node.getChild('AggregateOp'));
    const inner = ofChildren(node.getChild('FunctionCallBody')) ?? [];
    const modifier = node.getChild('AggregateModifier');
    if (modifier === null) return [];
    const labels = named(modifier, inner);
    return modifier.getChild('By') ? labels : inner.filter((label) => !labels.includes(label));
  }

  function ofFunction(node: SyntaxNode): readonly string[] | null {
    const body = node.getChild('FunctionCallBody');
    const identifier = node.getChild('FunctionIdentifier');
    ofChildren(identifier);
    const inner = ofChildren(body);
    const name = text(identifier ?? node);
    if (name === 'vector') return [];
    if (name === 'histogram_quantile') {
      if (!inner?.includes('le')) problems.push('no le');
      return (inner ?? []).filter((label) => label !== 'le');
    }
    if (name !== 'absent') return inner;
    // Its result has only the labels that the selector compares with one value.
    const selector = body?.getChild('VectorSelector')?.getChild('LabelMatchers');
    return (selector?.getChildren('UnquotedLabelMatcher') ?? [])
      .filter((matcher) => matcher.getChild('MatchOp')?.getChild('EqlSingle'))
      .flatMap((matcher) => matcher.getChildren('LabelName').map(text));
  }

  function ofOperation(node: SyntaxNode): readonly string[] | null {
    const [left, right] = [node.firstChild, node.lastChild].map((side) => side && ofNode(side));
    if (!left || !right) return left ?? right ?? null;
    const clause = node.getChild('MatchingModifierClause');
    ofChildren(clause);
    const isSet = ['And', 'Unless', 'Or'].some((operator) => node.getChild(operator));
    if (node.getChild('Or')) return left.filter((label) => right.includes(label));
    if (clause) {
      const labels = named(clause, clause.getChild('On') ? left : null, clause.getChild('On') ? right : null);
      if (isSet || clause.getChild('GroupLeft')) return left;
      return clause.getChild('On') ? labels : left.filter((label) => !labels.includes(label));
    }
    // Without a clause only series with the same labels match.
    if ([...left].sort().join() !== [...right].sort().join())
      problems.push(`{${left}} never matches {${right}}`);
    return left;
  }

  function ofChildren(node: SyntaxNode | null): readonly string[] | null {
    let found: readonly string[] | null = null;
    for (let child = node?.firstChild ?? null; child; child = child.nextSibling) {
      const labels = ofNode(child);
      found ??= labels;
    }
    return found;
  }

  function ofNode(node: SyntaxNode): readonly string[] | null {
    if (notUnderstood.includes(node.name)) problems.push(`${node.name} is not understood here`);
    if (node.name === 'VectorSelector') return ofSelector(node);
    if (node.name === 'AggregateExpr') return ofAggregation(node);
    if (node.name === 'FunctionCall') return ofFunction(node);
    if (node.name === 'BinaryExpr') return ofOperation(node);
    return ofChildren(node);
  }

  return { labels: ofNode(parser.parse(query).topNode), problems };
}

test.each(queries)('%s is a query that Prometheus understands', (_, query) => {
  expect(nodesOf(parser.parse(withoutVariables(query)), 'error')).toEqual([]);
});

test('a query with a mistake would be found', () => {
  for (const broken of ['sum by (a (b)', 'rate(a[5m]', 'a > > 1', 'a{b=c}'])
    expect(nodesOf(parser.parse(broken), 'error')).not.toEqual([]);
});

test('every metric of a rule or panel exists, with the labels that are named', () => {
  const series = readSeries();
  expect(readMetrics().size).toBeGreaterThan(40);
  const missing = queries.flatMap(([source, query]) =>
    labelsOf(withoutVariables(query), series).problems.map((problem) => `${source}: ${problem}`),
  );
  expect(missing).toEqual([]);
});

test.each([
  ['a metric that does not exist', 'sum(shelfwise_unknown)', 'shelfwise_unknown'],
  ['one of Node.js that does not exist', 'nodejs_unknown > 1', 'nodejs_unknown'],
  ['a label to select by', 'up{color="red"}', 'up{color}'],
  ['a label to group by', 'sum by (instance, color) (up)', 'by color'],
  ['one that an inner group drops', 'sum by (job) (sum by (instance) (up))', 'by job'],
  [
    'one that a recorded series lacks',
    'route:requests:rate5m{instance="a"}',
    'route:requests:rate5m{instance}',
  ],
  ['the same to group by', 'sum by (status) (route:requests:rate5m)', 'by status'],
  ['one to match on', 'up and on (job, route) route:requests:rate5m', 'by job,by route'],
  ['other labels on the other side', 'up / sum by (job) (up)', '{job,instance} never matches {job}'],
  ['a function that is not followed', 'topk(3, up)', 'Topk is not understood here'],
  ['a metric within an argument', 'clamp_max(up, scalar(down))', 'Scalar is not understood here,down'],
  ['a quantile without buckets', 'histogram_quantile(0.9, sum by (job) (up))', 'no le'],
])('a query with %s would be found', (_, query, problem) => {
  const series = new Map([
    ['up', targetLabels],
    ['route:requests:rate5m', ['route']],
  ]);
  expect(labelsOf(query, series).problems.join()).toBe(problem);
});

test.each([
  ['rate(up{job="a"}[5m]) > 1', 'job,instance'],
  ['2 * sum by (job) (up) > bool 1', 'job'],
  ['sum(up)', ''],
  ['sum without (job) (up)', 'instance'],
  ['absent(up{job="a",instance!="b"})', 'job'],
  ['max by (job, instance) (up) or max by (job) (up)', 'job'],
  ['up - on (job) group_left sum by (job) (up)', 'job,instance'],
  ['up == on (instance) up', 'instance'],
  ['up unless on (job) sum by (job) (up)', 'job,instance'],
])('the result of %s has the labels {%s}', (query, labels) => {
  expect(labelsOf(query, new Map([['up', targetLabels]]))).toEqual({
    labels: labels.split(',').filter(Boolean),
    problems: [],
  });
});

/** The labels that a text names, as `$labels.x` or `{{x}}`. */
const labelsIn = (text: string) =>
  [...text.matchAll(/\$labels\.(\w+)|\{\{\s*(\w+)\s*\}\}/g)].map((found) => found[1] ?? found[2] ?? '');

test('the labels in the texts of alerts and in the legends of panels are those that the query keeps', () => {
  const series = readSeries();
  const texts: [source: string, query: string, text: string][] = [
    ...alerts.flatMap(({ alert, expr, annotations }) =>
      Object.values(annotations ?? {}).map((text): [string, string, string] => [alert, expr, text]),
    ),
    ...dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr, legendFormat }): [string, string, string] => [title, expr, legendFormat]),
    ),
  ];
  expect(texts.flatMap(([, , text]) => labelsIn(text)).length).toBeGreaterThan(80);
  const missing = texts.flatMap(([source, query, text]) => {
    const kept = labelsOf(withoutVariables(query), series).labels ?? [];
    return labelsIn(text)
      .filter((label) => !kept.includes(label))
      .map((label) => `${source}: ${label}`);
  });
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
    expect(annotations?.runbook).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
  }
});

test('ShelfwiseSlow leaves out the routes that wait for a store, and no others', () => {
  const slow = alerts.find(({ alert }) => alert === 'ShelfwiseSlow');
  const [, leftOut = ''] = /route!~"\/api\/v1\/\((.*?)\)"/.exec(slow?.expr ?? '') ?? [];
  // Calls that read only stored data have a deadline of five seconds.
  const waiting = routes.filter(({ method, deadlineMs }) => method === 'get' && deadlineMs > 5000);
  expect(leftOut.split('|').sort()).toEqual(waiting.map(({ path }) => path.replace('/api/v1/', '')).sort());
});

test('docs/alerts.md has a section for each alert, and for no other', () => {
  const titles = [...read('docs/alerts.md').matchAll(/^### (\w+)$/gm)].map(([, title]) => title);
  expect(titles.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

test('each alert has a unit test of promtool in which it fires', () => {
  const { tests } = parse(read('deploy/monitoring/alerts-test.yml')) as { tests: UnitTest[] };
  const fired = tests.flatMap(({ promql_expr_test: checks }) =>
    (checks ?? []).flatMap(({ exp_samples: samples }) =>
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
  const used = new Set(queries.flatMap(([, query]) => metricsOf(withoutVariables(query))).map(withoutSuffix));
  expect(
    [...new Set([...readMetrics().keys()].map(withoutSuffix))].filter((name) => !used.has(name)),
  ).toEqual([]);
});
