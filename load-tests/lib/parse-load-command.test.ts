import { profileNames } from '../k6/profiles.ts';
import { loadTestUsage, parseLoadCommand } from './parse-load-command.ts';

const parse = (line: string) => parseLoadCommand(line.split(' ').filter(Boolean));

test.each([
  ['smoke', { profile: 'smoke', target: { kind: 'all-in-one' }, capacity: 40, minutes: null }],
  ['breakpoint', { profile: 'breakpoint', capacity: 300 }],
  [
    'soak --system distributed --copies all=2 --capacity 80 --minutes 5',
    { target: { kind: 'distributed', copies: 'all=2' }, capacity: 80, minutes: 5 },
  ],
  [
    'average --url http://a/ --url http://b --accounts f --metrics gateway=http://a:1/metrics?x=1 --pid redis=12',
    {
      target: {
        kind: 'running',
        urls: ['http://a', 'http://b'],
        accountsFile: 'f',
        processes: [
          { name: 'gateway', url: 'http://a:1/metrics?x=1' },
          { name: 'redis', pid: 12 },
        ],
      },
    },
  ],
])('"%s" is parsed', (line, command) => {
  expect(parse(line)).toMatchObject({ kind: 'command', command });
});

test.each([
  ['', /^Name a profile: smoke, average/],
  ['fast', /^Name a profile/],
  ['smoke twice', /"twice" is an unexpected argument/],
  ['smoke --system k8s', /--system is start or distributed/],
  ['smoke --url http://a', /--url needs --accounts/],
  ['smoke --accounts f', /need --url/],
  ['smoke --url a --accounts f', /"a" is no URL/],
  ['smoke --url http://a --accounts f --system distributed', /leave --system and --copies out/],
  ['smoke --url http://a --accounts f --copies all=2', /leave --system and --copies out/],
  ['smoke --name ../x', /--name is 1 to 60/],
  ['smoke --capacity 0', /--capacity must be a number over 0, up to 5000/],
  ['smoke --capacity 1e3', /--capacity must be/],
  ['smoke --copies all=2', /--copies needs --system distributed/],
  ['smoke --url http://a --accounts f --metrics http://a:1/metrics', /is not NAME=URL/],
  ['smoke --url http://a --accounts f --pid redis', /is not NAME=PID/],
  ['smoke --pid redis=12', /need --url/],
])('"%s" is refused with an explanation', (line, message) => {
  expect(parse(line)).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});

test('the usage explains every profile', () => {
  for (const name of profileNames) expect(loadTestUsage).toMatch(new RegExp(`^ {2}${name} +\\w`, 'm'));
  expect(parse('--help')).toEqual({ kind: 'help' });
});
