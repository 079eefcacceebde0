import { joinedDays } from './joined-days.ts';

test('a line joins only days that follow one another; 0 is a value', () => {
  expect(joinedDays([null, 0, 5, null, null, 7, null])).toEqual([
    [
      { at: 1, value: 0 },
      { at: 2, value: 5 },
    ],
    [{ at: 5, value: 7 }],
  ]);
  expect(joinedDays([null])).toEqual([]);
});
