import type { Bucket } from './series.ts';

const width = 900;
const panelHeight = 150;
const gap = 62;
const top = 60;
const left = 60;
const right = 20;
const colors = ['#4269d0', '#c1740b', '#d7335f', '#2f8f84', '#3c8c3a', '#a15cc2', '#8a5a37', '#6b6b6b'];

type Line = { name: string; values: readonly (number | null)[] };
type Panel = { title: string; lines: readonly Line[] };

/** A run as an SVG picture: rate, times, failures by code, CPU and memory of each process, over the seconds of the run. */
export function drawChart(title: string, series: readonly Bucket[]): string {
  const panels = toPanels(series);
  const seconds = series.map(({ second }) => second);
  const height = top + panels.length * (panelHeight + gap);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="10">`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    text(10, 22, title, 'font-size="15" font-weight="bold"'),
    ...panels.map((panel, index) => drawPanel(panel, top + index * (panelHeight + gap), seconds)),
    '</svg>',
  ].join('\n');
}

function toPanels(series: readonly Bucket[]): Panel[] {
  const names = (pick: (bucket: Bucket) => Readonly<Record<string, number>>) => [
    ...new Set(series.flatMap((bucket) => Object.keys(pick(bucket)))),
  ];
  const linesOf = (pick: (bucket: Bucket) => Readonly<Record<string, number>>, absent: number | null) =>
    names(pick).map((name) => ({ name, values: series.map((bucket) => pick(bucket)[name] ?? absent) }));
  const times = (['p50', 'p95', 'p99'] as const).map((name) => ({
    name,
    values: series.map((bucket) => bucket[name]),
  }));
  const panels = [
    { title: 'answers a second', lines: [{ name: 'answers', values: series.map(({ rate }) => rate) }] },
    { title: 'time of an answer, ms', lines: times },
    { title: 'failures a second, by code', lines: linesOf(({ failures }) => failures, 0) },
    { title: 'busy cores', lines: linesOf(({ cores }) => cores, null) },
    { title: 'resident memory, MiB', lines: linesOf(({ memory }) => memory, null) },
  ];
  // An axis without values has nothing to say.
  return panels.filter(({ lines }) => lines.length > 0);
}

function drawPanel({ title, lines }: Panel, y: number, seconds: readonly number[]): string {
  const bottom = y + panelHeight;
  const last = seconds.at(-1) || 1;
  const most = roundUp(Math.max(...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const toX = (second: number) => left + (second / last) * (width - left - right);
  const toY = (value: number) => bottom - (value / most) * panelHeight;
  const parts = [text(10, y - 15, title, 'font-size="12" font-weight="bold"')];
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    const at = toY(share * most);
    parts.push(`<path d="M${left} ${round(at)}H${width - right}" stroke="#dddddd"/>`);
    parts.push(text(left - 5, at + 3, String(round(share * most)), 'text-anchor="end"'));
    parts.push(text(toX(share * last), bottom + 14, `${round(share * last)} s`, 'text-anchor="middle"'));
  }
  let legendX = 190;
  for (const [index, { name, values }] of lines.entries()) {
    const color = colors[index % colors.length];
    parts.push(`<rect x="${legendX}" y="${y - 23}" width="12" height="8" fill="${color}"/>`);
    parts.push(text(legendX + 16, y - 15, name));
    legendX += 32 + 6 * name.length;
    const d = values.map((value, at) => toStep(value, values[at - 1], toX(seconds[at] ?? 0), toY)).join('');
    parts.push(`<path d="${d}" fill="none" stroke="${color}" stroke-width="1.2" stroke-linejoin="round"/>`);
  }
  return parts.join('\n');
}

/** One step of a line, which has a gap where values are missing. */
function toStep(
  value: number | null,
  before: number | null | undefined,
  x: number,
  toY: (value: number) => number,
): string {
  if (value === null) return '';
  const isStart = before === null || before === undefined;
  return `${isStart ? 'M' : 'L'}${round(x)} ${round(toY(value))}`;
}

/** The end of an axis: 1, 2 or 5 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * power >= value) ?? 10) * power;
}

function text(x: number, y: number, content: string, attributes = ''): string {
  const escaped = content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<text x="${round(x)}" y="${round(y)}" ${attributes}>${escaped}</text>`;
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
