import { type Store, stores } from '@shelfwise/facts/stores/store';
import type { AuditInput } from '@shelfwise/scoring/domain/audit/audit-input';
import { auditListing } from '@shelfwise/scoring/domain/audit/audit-listing';
import { listingTerms, termsIn } from '@shelfwise/scoring/domain/audit/words/listing-terms';
import { checkMetadata } from '@shelfwise/scoring/domain/check/check-metadata';
import { buildAuditInput, searched } from '../../services/scoring/test/build-audit-input.ts';
import { bareCpuMs, judgeCpu, minCpuMs } from '../lib/cpu-time.ts';
import { createSampleAudits } from '../lib/sample-audits.ts';
import { defineTimes } from './define-times.ts';

const maxUnits = 20_000;
const maxCpuMs = 150;
const maxAuditsForWords = 3;
/** Apps of different topics and sizes. */
const everyNth = 211;
/** A single audit is too short to be measured. */
const auditsTogether = 20;

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

const audits = createSampleAudits(new Date('2026-11-21T12:00:00Z'));

export const times = defineTimes({
  name: 'audit',
  question:
    'For how long does an audit or a check of hostile texts hold the event loop, and what do words to add cost?',
  options: {},
  async run() {
    auditHostileTexts();
    await auditSample();
  },
});

/** 20,000 units in each text and every word known: the longest time. Fails above 150 ms, unless the machine is slow. */
function auditHostileTexts(): void {
  let notJudged = 0;
  for (const [name, part] of Object.entries(texts)) {
    const text = part.repeat(Math.ceil(maxUnits / part.length)).slice(0, maxUnits);
    for (const store of stores) {
      const bareBefore = bareCpuMs();
      const simulateMs = minCpuMs(createAudit(store, text));
      const checkMs = minCpuMs(() => checkMetadata(store, toDraft(text)));
      const columns = [simulateMs, checkMs].map((ms) => `${ms.toFixed(1)} ms`.padStart(9));
      console.log(`${name.padEnd(26)}${store.padEnd(6)}  simulate ${columns[0]}  check ${columns[1]}`);
      const outcome = judgeCpu(Math.max(simulateMs, checkMs), maxCpuMs, Math.max(bareBefore, bareCpuMs()));
      if (outcome === 'missed') process.exitCode = 1;
      if (outcome === 'not judged') notJudged++;
    }
  }

  if (notJudged > 0) console.log(`${notJudged} not judged: machine`);
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

/** How many audits the words to add of an app cost, with 30 candidates and 50 tracked terms. Fails above 3. */
async function auditSample(): Promise<void> {
  for (const store of stores) {
    const storefront = { store, country: 'US', lang: 'en-US' };
    const sold = audits.catalog.apps(store).filter((_, at) => at % everyNth === 0);
    let auditMs = 0;
    let wordsMs = 0;
    for (const { appId } of sold) {
      const input = await audits.inputWithAdvice(storefront, appId, 'photo,music').catch(() => null);
      if (input === null) continue;
      const advisable = await withTracked(input);
      auditMs += cpuOf({ ...advisable, advice: {} });
      wordsMs += cpuOf(advisable);
    }
    const ratio = (wordsMs - auditMs) / auditMs;
    const each = [auditMs, wordsMs].map((ms) => `${(ms / sold.length).toFixed(2)} ms`.padStart(9));
    console.log(
      `${`sample, ${store}`.padEnd(32)}  audit ${each[0]}  with words to add ${each[1]}: ${ratio.toFixed(2)} audits more`,
    );
    if (ratio > maxAuditsForWords) process.exitCode = 1;
  }
}

function cpuOf(input: AuditInput): number {
  const work = () => {
    for (let at = 0; at < auditsTogether; at++) auditListing(input);
  };
  return minCpuMs(work) / auditsTogether;
}

/** With an empty subtitle, so that a flag asks for words, and 50 terms that an account tracks. */
async function withTracked(live: AuditInput): Promise<AuditInput> {
  const { storefront } = live;
  const input = await audits.draftOf(live, { subtitle: '' });
  const popular = 'abcdefghijklmnopqrstuvwxy'
    .split('')
    .flatMap((letter) => audits.catalog.suggest(storefront, letter, 2));
  const tracked = new Map(live.sources);
  for (const keyword of popular) if (!tracked.has(keyword)) tracked.set(keyword, 'tracked');
  const parts = popular.flatMap((keyword) => termsIn(keyword, storefront.lang));
  return { ...input, sources: tracked, tracked: await audits.readTerms(storefront, parts) };
}
