import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startEngine } from '@shelfwise/embedded/start-engine';
import mongoose from 'mongoose';
import { createItems, type Item } from './lib/embedded-crash-items.ts';
import { readOptions } from './lib/options.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const { rounds } = readOptions(
  'npm run embedded-crash',
  `Kills 8 writers of the embedded database with kill -9, repeatedly on one data folder, and verifies after each kill that acknowledged
writes are stored and that indexes match their collection. Exits with 1 otherwise.`,
  { rounds: [10, 'kills'] },
);
const dataDir = temporaryFolder('embedded-crash');
const acknowledged = {
  inserted: new Set<number>(),
  updates: new Map<number, number>(),
  deleted: new Set<number>(),
  possiblyDeleted: new Set<number>(),
};
const errors = { lostInserts: 0, lostUpdates: 0, returnedDeletes: 0, indexMistakes: 0, countMistakes: 0 };
let slowestOpenMs = 0;
let documents = 0;

for (let round = 0; round < rounds; round++) {
  record(await writeAndKill());
  await check();
}
const { inserted, updates, deleted } = acknowledged;
const counts = { rounds, inserts: inserted.size, updates: updates.size, deletes: deleted.size, documents };
console.log(JSON.stringify({ ...counts, ...errors, slowestOpenMs: Math.round(slowestOpenMs) }));
if (Object.values(errors).some((count) => count > 0)) process.exitCode = 1;

/** The output of the writers. They are killed .3 to 1.5 s after their first line. */
function writeAndKill(): Promise<string> {
  const program = fileURLToPath(new URL('lib/write-until-killed.ts', import.meta.url));
  const args = ['--import', 'tsx', '--conditions=shelfwise-source', program, dataDir];
  const child = spawn(process.execPath, args, {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), 300 + Math.random() * 1200));
  return new Promise((resolve) => {
    child.once('close', () => resolve(output));
  });
}

function record(output: string): void {
  for (const line of output.split('\n').slice(0, -1)) {
    const [kind, text] = line.split(' ');
    const id = Number(text);
    if (kind === 'I') acknowledged.inserted.add(id);
    if (kind === 'U') acknowledged.updates.set(id, (acknowledged.updates.get(id) ?? 0) + 1);
    if (kind === 'd') acknowledged.possiblyDeleted.add(id);
    if (kind === 'D') acknowledged.deleted.add(id);
  }
}

async function check(): Promise<void> {
  const openedAt = performance.now();
  const engine = await startEngine({ dataDir });
  slowestOpenMs = Math.max(slowestOpenMs, performance.now() - openedAt);
  const connection = await mongoose.createConnection(engine.mongodbUri).asPromise();
  const items = await createItems(connection);
  const all = new Map((await items.find().toArray()).map((item) => [item._id, item]));
  documents = all.size;
  const { inserted, updates, deleted, possiblyDeleted } = acknowledged;
  errors.lostInserts = [...inserted].filter((id) => !all.has(id) && !possiblyDeleted.has(id)).length;
  errors.lostUpdates = [...updates].filter(([id, count]) => (all.get(id)?.version ?? count) < count).length;
  errors.returnedDeletes = [...deleted].filter((id) => all.has(id)).length;
  const counts = [
    await items.countDocuments(),
    await items.estimatedDocumentCount(),
    await items.countDocuments({ email: { $gt: '' } }),
    (await items.find({ a: { $gte: 0 } }).toArray()).length,
  ];
  if (counts.some((count) => count !== all.size)) errors.countMistakes += 1;
  for (const item of [...all.values()].slice(-2000)) await checkIndexes(items, item);
  await connection.close();
  await engine.stop();
}

async function checkIndexes(items: Awaited<ReturnType<typeof createItems>>, item: Item): Promise<void> {
  const byEmail = await items.findOne({ email: item.email });
  const byPair = await items.findOne({ a: item.a, b: item.b });
  if (byEmail?._id !== item._id || byPair?._id !== item._id) errors.indexMistakes += 1;
}
