import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pause } from '../../../testing/pause.ts';
import { nodeArguments } from '../../../testing/system/node-arguments.ts';
import { startSystemHere } from '../../../testing/system/start-system-here.ts';

/** The day that the page shows. */
const sampleDay = '2026-11-25';
/** A block of commands, and what the page shows below it. */
const block = /```sh\n([\s\S]*?)```(?:\n\n```text\n([\s\S]*?)```)?/g;
const isReading = (commands: string) => !/--add|track|simulate/.test(commands);

/**
 * Pastes every block of commands of a page into a shell, in order, against the sample system on a fixed day. Returns the page
 * with what they printed to stdout. The current folder must be the root of the repository.
 * @param options.tries how often a block that reads is pasted: scores and the audit follow within seconds
 * @throws when the last command of a block fails
 */
export async function pasteReadme(page: string, { tries }: { tries: number }): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sw-'));
  const system = await startSystemHere({ SHELFWISE_DATA_DIR: dataDir, SAMPLE_DAY: sampleDay });
  try {
    const program = [process.execPath, ...nodeArguments('cli/src/main.ts')]
      .map((word) => `'${word}'`)
      .join(' ');
    const env = { PATH: process.env.PATH, HOME: dataDir, SHELFWISE_BASE_URL: system.url };
    let before = '';
    const printed: string[] = [];
    for (const [, written = '', shown] of page.matchAll(block)) {
      const commands = written
        .replaceAll('npm run --silent cli --', program)
        .replaceAll('.shelfwise/demo-key', join(dataDir, 'demo-key'));
      // What a block sets is there in the next ones.
      const isSetting = /^export /.test(commands);
      const isRepeated = shown !== undefined && isReading(commands);
      printed.push(await paste(`${before}${commands}`, { env, shown, tries: isRepeated ? tries : 1 }));
      if (isSetting) before += commands;
    }
    let index = 0;
    return page.replace(block, (whole, written: string, shown?: string) => {
      const output = printed[index++] ?? '';
      return shown === undefined ? whole : `\`\`\`sh\n${written}\`\`\`\n\n\`\`\`text\n${output}\`\`\``;
    });
  } finally {
    await system.end();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** What a script prints to stdout: as soon as it is what the page shows, else at the last try. */
async function paste(
  script: string,
  { env, shown, tries }: { env: NodeJS.ProcessEnv; shown: string | undefined; tries: number },
): Promise<string> {
  for (let left = tries; ; left--) {
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { env, encoding: 'utf8' });
    if (stdout === shown || left <= 1) return stdout;
    await pause(1000);
  }
}
