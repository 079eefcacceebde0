import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { outcomeOf } from '../lib/judge-on-machine.ts';
import type { FindingRow } from './report.ts';

const databases = 8;

/**
 * Row 11. Kills copies between a publish and the emptying of their outboxes, on a database of their own
 * (`outbox-copies.ts`).
 */
export async function killOutboxCopies(kills: number): Promise<FindingRow> {
  const program = fileURLToPath(new URL('../outbox-copies.ts', import.meta.url));
  const counts = [
    '--databases',
    String(databases),
    '--faults',
    String(Math.ceil(kills / databases)),
    '--kills-only',
  ];
  const args = ['--import', 'tsx', '--conditions=shelfwise-source', program, ...counts];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 26 }).catch(
    (error: { stdout: string; stderr: string }) => error,
  );
  if (stderr !== '') console.error(stderr);
  const summary = stdout.trim().split('\n').slice(-2).join(' ');
  return {
    row: 11,
    name: 'copies killed between a write and its publishing',
    finding: { text: summary, outcome: outcomeOf(/: 0 lost, 0 first published/.test(summary)) },
  };
}
