import { withinStack } from './parse-body.ts';

test('an answer nested deeper than the stack allows is malformed; every other failure stays unchanged', () => {
  const deepen = (): number => 1 + deepen();
  expect(() => withinStack(deepen)).toThrow(
    expect.objectContaining({ kind: 'malformed', message: 'sent an answer that is nested too deeply' }),
  );
  const ours = new TypeError('a mistake of ours');
  const fail = () => {
    throw ours;
  };
  expect(() => withinStack(fail)).toThrow(ours);
  expect(withinStack(() => 7)).toBe(7);
});
