import { spawn } from 'node:child_process';
import { superviseProcess } from './supervise-process.ts';

function supervise(script: string) {
  const lines: string[] = [];
  let onLine = () => {};
  let pid: number | undefined;
  const supervised = superviseProcess({
    name: 'scoring-1',
    spawn() {
      const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
      pid = child.pid;
      return child;
    },
    print(line) {
      lines.push(line);
      onLine();
    },
  });
  const seen = (count: number, text: string) =>
    new Promise<void>((resolve) => {
      onLine = () => lines.filter((line) => line.includes(text)).length >= count && resolve();
      onLine();
    });
  return { supervised, lines, seen, pid: () => pid as number };
}

const server = "console.log('scoring listens on 1'); setInterval(() => {}, 1000); console.error('on stderr')";

test('a process that ends by itself is started again', async () => {
  const { supervised, lines, seen, pid } = supervise(server);
  await supervised.listens;
  const firstPid = pid();
  process.kill(firstPid, 'SIGKILL');
  await seen(2, 'listens on');
  expect(pid()).not.toBe(firstPid);
  expect(lines).toContain('ended with SIGKILL; starting again in 1 s');
  await supervised.stop();
  expect(() => process.kill(pid(), 0)).toThrow('ESRCH');
});

test('a process that ends before it listens is not started again', async () => {
  const { supervised, lines } = supervise("console.error('MONGODB_URI is missing'); process.exit(1)");
  await expect(supervised.listens).rejects.toThrow('scoring-1 ended with exit code 1 before it was ready');
  expect(lines.join()).not.toContain('starting again');
});

test('the output of both streams is shown line by line', async () => {
  const { supervised, lines, seen } = supervise(server);
  await seen(1, 'on stderr');
  await supervised.stop();
  expect(lines).toEqual(expect.arrayContaining(['scoring listens on 1', 'on stderr']));
});
