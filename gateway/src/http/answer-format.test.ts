import { admitsJson, chooseFormat } from './answer-format.ts';

const withAccept = (accept?: string) => ({ headers: accept === undefined ? {} : { accept } });

test.each([
  ['text/csv'],
  ['TEXT/CSV'],
  ['text/csv;charset=utf-8'],
  ['text/csv; header=present'],
  ['text/csv, */*'],
  ['text/csv, application/json;q=0.9'],
  ['application/json;q=0.5, text/csv'],
  ['text/csv, application/json'],
  ['text/csv , text/plain'],
])('%s is CSV', (accept) => expect(chooseFormat(withAccept(accept))).toBe('csv'));

test.each([
  [undefined],
  [''],
  ['*/*'],
  ['text/*'],
  ['application/json'],
  ['application/json, text/csv'],
  ['application/json, text/csv;q=0.9'],
  ['*/*, text/csv;q=0.1'],
  ['text/csv;q=0'],
  ['text/csv;q=0, text/*'],
  ['text/csvx'],
  ['text/csv-schema, text/*'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'],
  ['application/xml'],
  [',;q=,text'],
])('%s is JSON', (accept) => expect(chooseFormat(withAccept(accept))).toBe('json'));

test.each([
  ['text/csv', false],
  ['text/csv, text/*', false],
  ['text/csv, application/json;q=0', false],
  ['text/csv, */*;q=0.1', true],
  ['text/csv, application/*', true],
  ['text/csv, application/json;q=0.2', true],
])('%s admits JSON: %j', (accept, expected) => expect(admitsJson(withAccept(accept))).toBe(expected));
