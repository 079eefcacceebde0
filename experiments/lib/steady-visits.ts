import { setTimeout as sleep } from 'node:timers/promises';
import { signIn } from '../../testing/system/sign-in.ts';

/** An account opens ten pages a second at most. */
const everyMs = 500;

/** `status` is null when there was no answer. */
type FailedVisit = { status: number | null; ms: number; text: string };

/** One session opens pages of the dashboard again and again, each with the files that it names and those of the first page. */
export async function startSteadyVisits(url: string, key: string) {
  const cookie = await signIn(url, key);
  const failed: FailedVisit[] = [];
  const first = await open('/dashboard');
  const firstFiles = listFiles(first);
  if (firstFiles.length === 0) throw new Error('the page names no file');
  let visits = 0;
  let isOver = false;
  const visiting = visit();

  async function visit(): Promise<void> {
    for (; !isOver; await sleep(everyMs)) {
      const page = await open('/dashboard');
      for (const file of new Set([...firstFiles, ...listFiles(page)])) await open(file);
      visits++;
    }
  }

  async function open(path: string): Promise<string> {
    const startedAt = performance.now();
    const fail = (status: number | null, what: string) =>
      failed.push({ status, ms: performance.now() - startedAt, text: `${path}: ${what}` });
    const headers = { cookie, accept: path.includes('/assets/') ? '*/*' : 'text/html' };
    try {
      // As browsers do: a connection that ends is replaced, and the page is asked for again.
      const ask = () =>
        fetch(`${url}${path}`, { headers, redirect: 'manual', signal: AbortSignal.timeout(20_000) });
      const answer = await ask().catch(ask);
      const text = await answer.text();
      if (answer.status !== 200)
        fail(answer.status, `${answer.status} ${answer.headers.get('location') ?? ''}`);
      return text;
    } catch (error) {
      fail(null, error instanceof Error ? error.message : String(error));
      return '';
    }
  }

  return {
    async stop(): Promise<{ visits: number; files: number; failed: FailedVisit[] }> {
      isOver = true;
      await visiting;
      return { visits, files: firstFiles.length, failed };
    },
  };
}

function listFiles(page: string): string[] {
  return [...new Set(page.match(/\/dashboard\/assets\/[\w.-]+/g) ?? [])];
}
