import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stays on its side when the text goes from right to left. */
const physical =
  /\b(margin|padding|border|inset)?-?(left|right)\s*:|(text-align|float|clear)\s*:\s*(left|right)|\b(left|right)-radius/g;

test.each([
  '.a { margin-left: 1px }',
  '.a { left: 0 }',
  '.a { text-align: right }',
  '.a { border-top-left-radius: 1px }',
])('%s does not mirror', (style) => expect(style.match(physical)).not.toBeNull());

test.each(['style.css', 'print.css'])('all of %s mirrors with the direction of the text', (file) => {
  const style = readFileSync(join(__dirname, '..', file), 'utf8');
  expect(style.length).toBeGreaterThan(1000);
  expect(style.replace(/\/\*[\s\S]*?\*\//g, '').match(physical)).toBeNull();
});

test.each(['style.css', 'print.css'])('nothing in %s ends the element that it is in', (file) => {
  expect(readFileSync(join(__dirname, '..', file), 'utf8')).not.toMatch(/<[/!]/);
});
