import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from '@swc/core';

type Syntax = { type: string; [field: string]: unknown };

/** Attributes and properties that are read by people. */
const saidBy = /^(aria-label|title|placeholder|alt|label|caption|sentence)$/;
/** Elements for what is the same in every language: commands, addresses, keys. */
const sameEverywhere = new Set(['code', 'pre', 'kbd']);

/** Words of people in a source that do not come from the table. */
function findPlainTexts(source: string): string[] {
  const found: string[] = [];
  const note = (text: unknown) => {
    if (typeof text === 'string' && /[a-z]{2}/i.test(text)) found.push(text.trim());
  };
  /** What an expression can become: not what it compares, and not what it calls. */
  const noteValues = (value: unknown): void => {
    if (!isSyntax(value)) return;
    const { type } = value;
    if (type === 'StringLiteral' || type === 'JSXText') note(value.value);
    if (type === 'TemplateLiteral') for (const part of listOf(value.quasis)) note(part.raw);
    if (type === 'ConditionalExpression') [value.consequent, value.alternate].forEach(noteValues);
    if (type === 'BinaryExpression' && /^(&&|\|\||\?\?|\+)$/.test(String(value.operator)))
      [value.left, value.right].forEach(noteValues);
    if (type === 'ParenthesisExpression' || type === 'JSXExpressionContainer') noteValues(value.expression);
  };
  const visit = (part: unknown): void => {
    if (!isSyntax(part)) return;
    if (part.type === 'JSXElement') {
      const { name } = part.opening as { name: { value?: string } };
      if (!sameEverywhere.has(name.value ?? '')) listOf(part.children).forEach(noteValues);
    }
    if (part.type === 'JSXFragment') listOf(part.children).forEach(noteValues);
    if (part.type === 'JSXAttribute' && saidBy.test((part.name as { value: string }).value))
      noteValues(part.value);
    if (part.type === 'KeyValueProperty' && saidBy.test(String((part.key as { value?: unknown }).value)))
      noteValues(part.value);
    if (part.type === 'CallExpression' && (part.callee as { value?: unknown }).value === 'say')
      for (const { expression } of listOf(part.arguments)) noteValues(expression);
    Object.values(part).forEach(visit);
  };
  visit(parseSync(source, { syntax: 'typescript', tsx: true }));
  return found;
}

function isSyntax(part: unknown): part is Syntax {
  return typeof part === 'object' && part !== null;
}

const listOf = (value: unknown) => value as Syntax[];

test.each([
  ['<p>Sign in</p>', ['Sign in']],
  ['<p>{isBusy ? "Reading…" : words.read}</p>', ['Reading…']],
  ['<p>{count > 0 && `of` + count}</p>', ['of']],
  ['<><b>{words.one}</b> and <b>{words.two}</b></>', ['and']],
  ['<button aria-label="Close" class="plain main">×</button>', ['Close']],
  ['<Table columns={[{ key: "day", label: "Day" }]} />', ['Day']],
  ['<button onClick={() => say("Done.")} />', ['Done.']],
  ['<p class="note warn">{status === "up" ? "▲" : texts.change[status]} · {words.of("two", name)}</p>', []],
  ['<pre>{`curl`}</pre>', []],
])('%s has the plain texts %j', (source, expected) => {
  expect(findPlainTexts(`const one = () => ${source};`)).toEqual(expected);
});

test('all that pages say comes from the table of texts', () => {
  const folder = join(__dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.(test|d)\.ts$|^text\//.test(file),
  );
  expect(files.length).toBeGreaterThan(60);
  const found = files.flatMap((file) =>
    findPlainTexts(readFileSync(join(folder, file), 'utf8')).map((text) => `${file}: ${text}`),
  );
  expect(found).toEqual([]);
});
