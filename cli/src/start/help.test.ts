import { commands } from '../commands/index.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatCommandHelp, formatHelp } from './help.ts';

test('the help of the program has every command and exit code', () => {
  const help = formatHelp(commands);
  for (const { name } of commands) expect(help).toMatch(new RegExp(`^  ${name} `, 'm'));
  for (const code of Object.values(exitCodes)) expect(help).toMatch(new RegExp(`^  ${code} `, 'm'));
});

test.each(commands)('the help of $name has its options and an example of its own', (command) => {
  const help = formatCommandHelp(command);
  for (const option of Object.keys(command.options)) expect(help).toContain(`--${option}`);
  expect(help).toMatch(new RegExp(`Example:\\n  shelfwise ${command.name}\\b`));
  const [usage = '', about = ''] = help.split('\n\n');
  for (const line of [usage, ...about.split('\n')]) expect(line.length).toBeLessThanOrEqual(100);
});
