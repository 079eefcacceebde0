import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { startSystemProcess } from '../testing/system/system-process.ts';
import { runAccountCommand, startDistributedSystem } from './lib/distributed-system.ts';
import { createExpectations } from './lib/expectations.ts';
import { until } from './lib/main-job-steps.ts';
import { readOptions } from './lib/options.ts';
import { startTcpBalancer } from './lib/tcp-balancer.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

const {
  kill,
  port,
  'service-port': servicePort,
  'only-distributed': isOnlyDistributed,
} = readOptions(
  'npm run clients',
  `The main job by the client in TypeScript and by the one in Python (clients/): an app and 20 keywords, ranks page by page, an
inspection, an audit and a draft. On npm start; and where KAFKA_BROKERS and REDIS_URL name engines (npm run infra -- up kafka redis), on
npm run start:distributed with two copies of everything, while one is killed. Also runs the tests of the client in
Python and the programs of its README. Without Python 3.10 that part is skipped.`,
  {
    kill: ['gateway,tracking,scoring', 'the parts that lose a copy, one in each job'],
    port: [18_280, 'of the first gateway; the others, and metrics from this port + 100, follow'],
    'service-port': [15_251, 'as of npm run start:distributed'],
    'only-distributed': [false, 'without npm start'],
  },
);

type Step = { step: string; retries: number; [fact: string]: unknown };
type Client = { name: string; command: string; args: string[]; env: Record<string, string> };

const keywordCount = 20;
const { expectThat, conclude } = createExpectations();

const pythonEnv = { PYTHONPATH: 'clients/python/src', PYTHONDONTWRITEBYTECODE: '1' };
const clients: Client[] = [
  {
    name: 'TypeScript',
    command: process.execPath,
    args: ['--import', 'tsx', '--conditions=shelfwise-source', 'clients/typescript/examples/main-job.ts'],
    env: {},
  },
];
const hasPython =
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))']).status === 0;
if (hasPython)
  clients.push({
    name: 'Python',
    command: 'python3',
    args: ['clients/python/examples/main_job.py'],
    env: pythonEnv,
  });
else console.log('skipped: the client in Python, because python3 is missing or older than 3.10');

if (!isOnlyDistributed) {
  if (hasPython) testPython();
  await onOneProcess();
}
const { KAFKA_BROKERS, REDIS_URL } = process.env;
if (KAFKA_BROKERS && REDIS_URL) await onCopies();
else console.log('skipped: copies while one is killed, because KAFKA_BROKERS and REDIS_URL are not set');
process.exitCode = conclude();

function testPython(): void {
  console.log('\n# the tests of the client in Python');
  const args = ['-m', 'unittest', 'discover', '--quiet', '--start-directory', 'clients/python/tests'];
  const env = { ...process.env, ...pythonEnv };
  expectThat(spawnSync('python3', args, { env, stdio: 'inherit' }).status === 0, 'they pass');
}

async function onOneProcess(): Promise<void> {
  const settings = {
    SHELFWISE_DATA_DIR: temporaryFolder('clients'),
    SHELFWISE_DEMO_ACCOUNT: 'false',
    STORE_SOURCE: 'sample',
  };
  const system = await startSystemProcess(settings);
  const createKey = () => createAccountKey((words) => runAccountCommand(words, settings));
  try {
    for (const client of clients) {
      console.log(`\n# ${client.name} on npm start`);
      await doMainJob(client, { url: system.url, key: await createKey() });
    }
    if (hasPython) await pasteReadme({ url: system.url, key: await createKey() });
  } finally {
    expectThat((await system.end('SIGINT')) === 0, 'Ctrl-C stops the system with exit code 0');
  }
}

async function onCopies(): Promise<void> {
  const engine = process.env.MONGODB_URI ? null : await startEngine({ dataDir: temporaryFolder('clients') });
  const system = await startDistributedSystem(['--copies', 'all=2', '--service-port', String(servicePort)], {
    MONGODB_URI: process.env.MONGODB_URI ?? engine?.mongodbUri ?? '',
    PORT: String(port),
    METRICS_PORT: String(port + 100),
  });
  const balancer = await startTcpBalancer(system.urls);
  const pidsOf = (part: string) => system.pidsOf(part as Parameters<typeof system.pidsOf>[0]);
  try {
    for (const part of kill.split(','))
      for (const client of clients) {
        console.log(`\n# ${client.name} on copies, while one of ${part} is killed`);
        await until(async () => pidsOf(part).length === 2);
        const key = await createAccountKey((words) => system.account(...words));
        let killed = 0;
        await doMainJob(client, {
          url: balancer.url,
          key,
          onStep({ step }) {
            const [pid] = step === 'keywords' ? pidsOf(part) : [];
            if (pid === undefined) return;
            process.kill(pid, 'SIGKILL');
            killed++;
          },
        });
        expectThat(killed === 1, `a copy of ${part} was killed after the keywords`);
      }
  } finally {
    await balancer.stop();
    expectThat((await system.end()) === 0, 'Ctrl-C stops all processes with exit code 0');
    await engine?.stop();
  }
}

async function createAccountKey(
  account: (words: string[]) => Promise<Record<string, string>>,
): Promise<string> {
  const email = `${Date.now()}@example.com`;
  const { key = '' } = await account(['create', '--email', email, '--plan', 'unlimited']);
  return key;
}

/** Runs the program of a client, and verifies what it says of each step. */
async function doMainJob(
  client: Client,
  { url, key, onStep }: { url: string; key: string; onStep?(step: Step): void },
): Promise<void> {
  const env = { ...process.env, ...client.env, SHELFWISE_BASE_URL: url, SHELFWISE_API_KEY: key };
  const startedAt = performance.now();
  const child = spawn(client.command, client.args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const steps = new Map<string, Step>();
  for await (const line of createInterface({ input: child.stdout })) {
    console.log(`  ${line}`);
    const step = JSON.parse(line) as Step;
    steps.set(step.step, step);
    onStep?.(step);
  }
  const [code] = await closed;
  const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
  expectThat(code === 0, `the program ends with ${code} after ${seconds} s`);
  const fact = (step: string, name: string) => steps.get(step)?.[name];
  expectThat(
    fact('ranks', 'rows') === keywordCount && fact('ranks', 'pages') === 3,
    `${fact('ranks', 'rows')} keywords in ${fact('ranks', 'pages')} pages`,
  );
  expectThat(Number(fact('inspection', 'apps')) > 0, `${fact('inspection', 'apps')} apps of an inspection`);
  expectThat(typeof fact('audit', 'global') === 'number', `an audit: ${fact('audit', 'global')}`);
  expectThat(typeof fact('draft', 'global') === 'number', `a draft: ${fact('draft', 'global')}`);
}

/** The programs of the README of the client in Python, as they are there. */
async function pasteReadme({ url, key }: { url: string; key: string }): Promise<void> {
  console.log('\n# the programs of the README of the client in Python');
  const page = readFileSync('clients/python/README.md', 'utf8');
  const file = join(temporaryFolder('readme'), 'program.py');
  const env = { ...process.env, ...pythonEnv, SHELFWISE_API_KEY: key };
  const programs = [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, program = '']) => program);
  expectThat(programs.length > 1, `there are ${programs.length}`);
  for (const [index, program] of programs.entries()) {
    writeFileSync(file, program.replaceAll('http://localhost:8080', url));
    const child = spawn('python3', [file], { env, stdio: 'inherit' });
    const [code] = await once(child, 'close');
    expectThat(code === 0, `program ${index + 1} ends with ${code}`);
  }
}
