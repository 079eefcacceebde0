import { escapeHtml } from './escape-html.ts';

test('a text opens no element, ends no attribute, and is read as it was', () => {
  expect(escapeHtml(`<b a="x" b='y'>&amp;`)).toBe('&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;');
});
