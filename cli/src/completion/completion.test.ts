import { spawnSync } from 'node:child_process';
import { commands } from '../commands/index.ts';
import { formatBash } from './bash.ts';
import { describeCommands } from './describe-commands.ts';
import { formatFish } from './fish.ts';
import { formatZsh } from './zsh.ts';

const described = describeCommands(commands);
const hasShell = (name: string) => spawnSync(name, ['-c', 'true']).status === 0;
const inBash = hasShell('bash') ? test : test.skip;

/** What bash offers for the last word of a line. */
function complete(line: string): string[] {
  const words = line.split(' ');
  const quoted = words.map((word) => `'${word}'`).join(' ');
  const script = `${formatBash(described)}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}; _shelfwise; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return stdout.trim().split('\n');
}

inBash('bash completes commands, options, and the values of options', () => {
  expect(complete('shelfwise a')).toEqual(['apps', 'audit', 'alerts']);
  expect(complete('shelfwise ranks 1 --co')).toEqual(['--competitors']);
  expect(complete('shelfwise charts --store ')).toEqual(['ITUNES', 'GPLAY']);
  expect(complete('shelfwise completion z')).toEqual(['zsh']);
});

test.each([
  ['bash', formatBash],
  ['zsh', formatZsh],
  ['fish', formatFish],
] as const)('%s knows every command and option', (_shell, format) => {
  const script = format(described);
  for (const { name, options } of described) {
    expect(script).toContain(name);
    for (const option of options) expect(script).toContain(option.name);
  }
});

test.each([
  ['bash', formatBash],
  ['zsh', formatZsh],
  ['fish', formatFish],
] as const)('%s reads its completion without an error, where it is installed', (shell, format) => {
  if (!hasShell(shell)) return;
  const result = spawnSync(shell, ['-n'], { input: format(described), encoding: 'utf8' });
  expect([result.status, result.stderr]).toEqual([0, '']);
});

test('texts with quotes and brackets end no description', () => {
  const odd = {
    name: 'odd',
    summary: "It's: odd",
    wordChoices: [],
    options: [{ name: 'x', text: "the app's [name]: so", takesValue: false, choices: [] }],
  };
  expect(formatFish([odd])).toContain("-d 'the app'\\''s [name]: so'");
  expect(formatZsh([odd])).toContain("'--x[the app'\\''s \\[name\\]\\: so]'");
});
