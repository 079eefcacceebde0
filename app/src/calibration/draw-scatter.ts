import { toPrintableLine } from '@shelfwise/runtime/log/printable';

/** One term of the plot. */
export type PlottedTerm = { term: string; known: number; score: number };

const size = { width: 640, height: 480 } as const;
/** The area within the axes. */
const area = { left: 64, top: 44, right: 620, bottom: 424 } as const;
const tickCount = 5;
/** Known values that reach over more than this factor, such as searches per month, are drawn on a logarithmic axis. */
const logarithmicFrom = 100;

/**
 * A scatter plot as an SVG document without references to anything outside: known values on the horizontal axis, scores
 * (0 to 100) on the vertical one. It has a title and a description for screen readers; each point has its term as a
 * tooltip. Texts are escaped.
 * @param plot.title names what is compared, `plot.scoreTitle` the score, `plot.description` states the result
 */
export function drawScatter(
  terms: readonly PlottedTerm[],
  plot: { title: string; scoreTitle: string; description: string },
): string {
  const axis = createKnownAxis(terms.map(({ known }) => known));
  const y = (score: number) => area.bottom - (score / 100) * (area.bottom - area.top);
  const vertical = [0, 20, 40, 60, 80, 100].map(
    (score) =>
      `<line class="grid" x1="${area.left}" x2="${area.right}" y1="${round(y(score))}" y2="${round(y(score))}"/>` +
      `<text x="${area.left - 8}" y="${round(y(score) + 4)}" text-anchor="end">${score}</text>`,
  );
  const horizontal = axis.ticks.map(
    (value) =>
      `<line class="grid" x1="${round(axis.x(value))}" x2="${round(axis.x(value))}" y1="${area.top}" y2="${area.bottom}"/>` +
      `<text x="${round(axis.x(value))}" y="${area.bottom + 18}" text-anchor="middle">${formatTick(value)}</text>`,
  );
  const points = terms.map(
    ({ term, known, score }) =>
      `<circle cx="${round(axis.x(known))}" cy="${round(y(score))}" r="4"><title>${escapeXml(`${term}: known value ${known}, ${plot.scoreTitle} ${score}`)}</title></circle>`,
  );
  const middle = { x: (area.left + area.right) / 2, y: (area.top + area.bottom) / 2 };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-labelledby="title description">
<title id="title">${escapeXml(plot.title)}</title>
<desc id="description">${escapeXml(plot.description)}</desc>
<style>text { font: 12px sans-serif; fill: #222 } .grid { stroke: #ddd } circle { fill: #1b5e9e; fill-opacity: 0.6 }</style>
<rect width="${size.width}" height="${size.height}" fill="#fff"/>
<text x="${middle.x}" y="26" text-anchor="middle" font-weight="bold">${escapeXml(plot.title)}</text>
${[...vertical, ...horizontal].join('\n')}
<text x="${middle.x}" y="${size.height - 14}" text-anchor="middle">known value${axis.isLogarithmic ? ' (logarithmic)' : ''}</text>
<text transform="translate(18 ${middle.y}) rotate(-90)" text-anchor="middle">${escapeXml(plot.scoreTitle)}</text>
${points.join('\n')}
</svg>
`;
}

/** Spreads known values between the ends of the area. Values that are all equal are in the middle. */
function createKnownAxis(values: readonly number[]) {
  const [low, high] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)] as const,
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY] as const,
  );
  const isLogarithmic = low > 0 && high >= low * logarithmicFrom;
  const scale = isLogarithmic ? Math.log10 : (value: number) => value;
  const [from, to] = [scale(low), scale(high)];
  const x = (value: number) => {
    const share = to > from ? (scale(value) - from) / (to - from) : 0.5;
    return area.left + 12 + share * (area.right - area.left - 24);
  };
  const ticks = isLogarithmic ? powersOfTen(from, to) : roundValues(low, high);
  return { x, isLogarithmic, ticks };
}

/** The powers of ten between two exponents, thinned out to a few. */
function powersOfTen(from: number, to: number): number[] {
  const step = Math.max(1, Math.ceil((to - from) / tickCount));
  const ticks: number[] = [];
  for (let exponent = Math.ceil(from); exponent <= to; exponent += step) ticks.push(10 ** exponent);
  return ticks;
}

/** About `tickCount` multiples of 1, 2 or 5 times a power of ten. */
function roundValues(low: number, high: number): number[] {
  if (!(high > low)) return Number.isFinite(low) ? [low] : [];
  const rough = (high - low) / tickCount;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10) * power;
  // Values so close to zero that a fifth of their distance is no number any more.
  if (!(step > 0)) return [low];
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: last - first + 1 }, (_value, index) => (first + index) * step);
}

function formatTick(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 6 });
}

function round(value: number): string {
  return Number(value.toFixed(1)).toString();
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A text for an XML document. Characters that XML does not allow are replaced. */
function escapeXml(text: string): string {
  return toPrintableLine(text)
    .replace(/[\p{Cs}\ufffe\uffff]/gu, '\ufffd')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
