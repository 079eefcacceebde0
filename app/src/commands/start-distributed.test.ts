import { readArguments } from './lib/define-command.ts';
import { startDistributed } from './start-distributed.ts';

const parse = (...words: string[]) => readArguments(startDistributed, words);

test('a copy of each part is the default, and no engines', () => {
  expect(parse()).toEqual({
    kind: 'command',
    asked: { copies: {}, hasInfra: false, servicePort: 15_051 },
    isJson: false,
  });
});

test('copies are given by part, together or one by one; "all" stands for every part', () => {
  expect(parse('--copies', 'scoring=3,gateway=2', '--infra')).toEqual({
    kind: 'command',
    asked: { copies: { scoring: 3, gateway: 2 }, hasInfra: true, servicePort: 15_051 },
    isJson: false,
  });
  expect(parse('--copies', 'all=2', '--copies', 'gateway=3')).toMatchObject({
    asked: {
      copies: { 'store-fetch': 2, scoring: 2, niche: 2, chart: 2, notify: 2, tracking: 2, gateway: 3 },
    },
  });
});

test('another port of the services is possible, as long as all copies have one', () => {
  expect(parse('--service-port', '65336')).toMatchObject({ asked: { servicePort: 65_336 } });
  for (const wrong of ['65337', '0', 'x'])
    expect(parse('--service-port', wrong)).toEqual({
      kind: 'usage-error',
      message: '--service-port takes a number from 1 to 65336.',
    });
});

test.each([
  ['scoring', '"scoring" is not <part>=<number> with a number from 1 to 20.'],
  ['scoring=0', '"scoring=0" is not <part>=<number> with a number from 1 to 20.'],
  ['scoring=1e1', '"scoring=1e1" is not <part>=<number> with a number from 1 to 20.'],
  [
    'scores=2',
    'There is no part "scores". The parts are store-fetch, scoring, niche, chart, notify, tracking, gateway, mcp.',
  ],
])('--copies %s is refused with a sentence that says what is possible', (copies, message) => {
  expect(parse('--copies', copies)).toEqual({ kind: 'usage-error', message });
});
