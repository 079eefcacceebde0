/**
 * The CPU time of an audit and of a metadata check of hostile drafts: 20,000 units in each text and every word known, which is the longest
 * time that an audit blocks the event loop. Fails above 150 ms.
 */
import { parseArgs } from 'node:util';
import { type Store, stores } from '@shelfwise/facts/stores/store';
import { auditListing } from '@shelfwise/scoring/domain/audit/audit-listing';
import { listingTerms } from '@shelfwise/scoring/domain/audit/listing-terms';
import { checkMetadata } from '@shelfwise/scoring/domain/check/check-metadata';
import { buildAuditInput, searched } from '../services/scoring/test/build-audit-input.ts';
import { minCpuMs } from './lib/cpu-time.ts';

const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
if (values.help) {
  console.log('Usage: node --import tsx --conditions=shelfwise-source experiments/audit-times.ts');
  process.exit(0);
}

const maxUnits = 20_000;
const maxCpuMs = 150;

const han = Array.from({ length: maxUnits }, (_, at) => String.fromCodePoint(0x4e00 + ((7 * at) % 20_000)));
const texts: Readonly<Record<string, string>> = {
  'U+FDFA (18 in NFKC)': 'ﷺ',
  'U+3316 (6 in NFKC)': '\u3316',
  newlines: '\n',
  'carriage returns': '\r',
  'Han, all different': han.join(''),
  'Han words': '写真',
  katakana: 'アイウエオ',
  Thai: 'สวัสดีครับ',
  'sentences without spaces': 'a.B',
  'one-letter words': 'a ',
  'marks out of order': '\u0315\u0300',
  prose: 'Build habits that last, one day at a time. ',
};

for (const [name, part] of Object.entries(texts)) {
  const text = part.repeat(Math.ceil(maxUnits / part.length)).slice(0, maxUnits);
  for (const store of stores) {
    const simulateMs = minCpuMs(createAudit(store, text));
    const checkMs = minCpuMs(() => checkMetadata(store, toDraft(text)));
    const columns = [simulateMs, checkMs].map((ms) => `${ms.toFixed(1)} ms`.padStart(9));
    console.log(`${name.padEnd(26)}${store.padEnd(6)}  simulate ${columns[0]}  check ${columns[1]}`);
    if (Math.max(simulateMs, checkMs) > maxCpuMs) process.exitCode = 1;
  }
}

function createAudit(store: Store, text: string): () => void {
  const input = buildAuditInput(store, { texts: toDraft(text), live_description: text });
  const terms = new Map(listingTerms(input).map(({ keyword }) => [keyword, searched(30, 40)]));
  return () => {
    listingTerms(input);
    auditListing({ ...input, terms });
  };
}

function toDraft(text: string) {
  return { title: text, subtitle: text, description: text, kw_field: text };
}
