import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { formatOutcome, type Judged } from '../lib/judge-on-machine.ts';
import type { Finding } from './fault.ts';
import { allowed, type Others, seconds } from './goals.ts';
import type { CallRecord } from './load.ts';
import type { Phase } from './phase.ts';

export type Verdict = {
  phase: Phase;
  others: Others | null;
  goals: readonly Finding[];
  skipped: readonly string[];
  /** What was seen before the fault was tried again, because only findings with `isTime` missed. */
  firstTry?: Verdict;
};

/** A fault that was tried by itself. */
export type FindingRow = { row: number; name: string; finding: Judged };

/** For the terminal. */
export function describeVerdict({ phase, goals, skipped }: Verdict): string {
  const { fault, records, machineLoad, bare } = phase;
  const machine = `load of the machine ${machineLoad.toFixed(1)}, a bare server's p99 ${Math.round(bare.p99)} ms, slowest ${Math.round(bare.max)} ms`;
  return [
    `\n# ${fault.row}: ${fault.name} (${machine})`,
    `  ${records.length} calls; failed: ${formatFailures(records, 'reason')}; well again after ${seconds(phase.recoveredAfterMs)}`,
    ...goals.map(formatOutcome),
    ...skipped.map((text) => `  skipped ${text}`),
  ].join('\n');
}

const header = [
  '| row | fault | calls | failed | longest outage of a client | well again after | lost writes, lost events, done twice | one key in 1 s, 60 s | longest way of an event | p99 of other calls, and without a fault | commit |',
  '|---|---|---|---|---|---|---|---|---|---|---|',
];

/** Before a complete run: what an earlier one has found is removed. */
export function clearTable(file: string): void {
  writeTable(file, () => []);
}

/** Replaces the rows of the faults that were run in the table of a page, and keeps the others. */
export function updateTable(file: string, verdicts: readonly Verdict[], more: readonly FindingRow[]): void {
  const commit = readCommit();
  writeTable(file, (before) => {
    const rows = new Map(before.map((line) => [nameOf(line), line]));
    for (const verdict of verdicts) rows.set(verdict.phase.fault.name, `${toRow(verdict)} ${commit} |`);
    for (const { row, name, finding } of more)
      rows.set(name, `| ${row} | ${name} | | ${finding.text} | | | | | | | ${commit} |`);
    return [...rows.values()];
  });
}

function writeTable(file: string, change: (rows: readonly string[]) => readonly string[]): void {
  const lines = readFileSync(file, 'utf8').split('\n');
  const tableAt = lines.indexOf(header[0] as string);
  if (tableAt < 0) throw new Error(`${file} has no table of faults`);
  const isRow = (line: string) => /^\| \d+ \|/.test(line);
  const number = (line: string) => Number(line.split('|')[1]);
  const sorted = [...change(lines.filter(isRow))].sort((one, other) => number(one) - number(other));
  const after = lines.slice(tableAt + header.length).filter((line) => !isRow(line));
  writeFileSync(file, [...lines.slice(0, tableAt), ...header, ...sorted, ...after].join('\n'));
}

function readCommit(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

const nameOf = (line: string) => line.split(' | ')[1] ?? '';

function toRow({ phase, others, goals, skipped, firstTry }: Verdict): string {
  const { fault, records, effects, windows, localDecisions } = phase;
  const isSkipped = skipped.length > 0;
  const lost = [effects.lostWrites, effects.lostEvents, effects.doubled]
    .map((list) => list.length)
    .join(', ');
  const findings = phase.findings.filter(({ outcome }) => outcome === 'met').map(({ text }) => text);
  const before = (firstTry?.goals ?? [])
    .filter(({ outcome }) => outcome !== 'met')
    .map(({ text }) => `at the first try: ${text}`);
  const cells = [
    String(fault.row),
    fault.name,
    String(records.length),
    formatFailures(records, 'code'),
    isSkipped ? 'not judged' : `${seconds(phase.outage.ms)} of ${seconds(allowed(fault.awayMs, phase))}`,
    isSkipped ? 'not judged' : seconds(phase.recoveredAfterMs),
    lost,
    `${windows.inASecond}, ${windows.inAMinute}${localDecisions > 0 ? ` (${localDecisions} decisions without Redis)` : ''}`,
    seconds(phase.longestWayMs),
    others ? `${Math.round(others.p99)} ms, ${Math.round(others.baselineP99)} ms` : 'none',
  ];
  cells[3] = [cells[3], ...findings, ...listUnmet(goals), ...before].join('; ');
  return `| ${cells.join(' | ')} |`;
}

/** For the page: the goals that are missed, and those that are not judged. */
export function listUnmet(goals: readonly Judged[]): string[] {
  return goals.flatMap(({ text, outcome }) => {
    if (outcome === 'met') return [];
    return outcome === 'missed' ? [`**missed: ${text}**`] : [`not judged: machine: ${text}`];
  });
}

function formatFailures(records: readonly CallRecord[], by: 'code' | 'reason'): string {
  const counts = new Map<string, number>();
  for (const record of records) if (!record.isGood) counts.set(record[by], (counts.get(record[by]) ?? 0) + 1);
  return [...counts].map(([what, count]) => `${count} ${what}`).join(', ') || '0';
}
