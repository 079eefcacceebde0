import { readData } from '../../../test/read-data.ts';
import { findAmounts } from './find-amounts.ts';
import { createWrittenPart, readableText } from './text-units.ts';

const { amounts, others } = readData<{ amounts: string[]; others: string[] }>('amounts.json');

function amountsIn(text: string): string[] {
  const written = createWrittenPart(text, 200);
  return findAmounts(readableText(text, 200)).map(({ start, end }) => written(start, end));
}

test.each(amounts)('%s is an amount, at either end and in brackets', (amount) => {
  expect(amountsIn(amount)).toEqual([amount]);
  expect(amountsIn(`Notes ${amount}`)).toEqual([amount]);
  expect(amountsIn(`${amount} Notes`)).toEqual([amount]);
  expect(amountsIn(`メモ（${amount}）`)).toEqual([amount]);
});

test('an ending that Korean adds to the sign does not matter', () => {
  expect(amountsIn('1000원짜리 메모, 990원부터')).toEqual(['1000원', '990원']);
});

test.each(others)('"%s" has no amount', (text) => expect(amountsIn(text)).toEqual([]));
