import { type EChartsOption, init } from 'echarts';
import type { Bucket } from './series.ts';

const width = 900;
const panelHeight = 150;
const gap = 62;
const top = 60;

type Line = { name: string; values: readonly (number | null)[] };
type Panel = { title: string; lines: readonly Line[] };

/** A run as an SVG picture: rate, times, failures by code, CPU and memory of each process, over the seconds of the run. */
export function drawChart(title: string, series: readonly Bucket[]): string {
  const panels = toPanels(series);
  const height = top + panels.length * (panelHeight + gap);
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption(
      toOption(
        title,
        series.map(({ second }) => second),
        panels,
      ),
    );
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
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

function toOption(title: string, seconds: readonly number[], panels: readonly Panel[]): EChartsOption {
  const topOf = (index: number) => top + index * (panelHeight + gap);
  return {
    animation: false,
    backgroundColor: '#ffffff',
    title: [
      { text: title, left: 10, top: 6, textStyle: { fontSize: 15 } },
      ...panels.map((panel, index) => ({
        text: panel.title,
        left: 10,
        top: topOf(index) - 26,
        textStyle: { fontSize: 12 },
      })),
    ],
    // One for each panel: the same name may be in two.
    legend: panels.map(({ lines }, index) => ({
      data: lines.map(({ name }) => name),
      top: topOf(index) - 28,
      left: 190,
      itemHeight: 8,
      textStyle: { fontSize: 11 },
    })),
    grid: panels.map((_, index) => ({ left: 60, right: 20, top: topOf(index), height: panelHeight })),
    xAxis: panels.map((_, gridIndex) => ({
      type: 'value' as const,
      gridIndex,
      min: 0,
      max: seconds.at(-1) ?? 1,
      axisLabel: { formatter: '{value} s', fontSize: 10 },
    })),
    yAxis: panels.map((_, gridIndex) => ({
      type: 'value' as const,
      gridIndex,
      axisLabel: { fontSize: 10 },
    })),
    series: panels.flatMap(({ lines }, index) =>
      lines.map(({ name, values }) => ({
        name,
        type: 'line' as const,
        xAxisIndex: index,
        yAxisIndex: index,
        showSymbol: false,
        lineStyle: { width: 1.2 },
        data: values.map((value, at) => [seconds[at] ?? 0, value === null ? null : round(value)]),
      })),
    ),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
