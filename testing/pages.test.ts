import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(__dirname, '..');
const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (page: string) => readFileSync(join(root, page), 'utf8');
const withoutCode = (text: string) => text.replace(/^ *```.*?^ *```$/gms, '');

/** The anchors of a page, as GitHub makes them from its headings. */
function anchorsOf(page: string): string[] {
  return [...withoutCode(read(page)).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a text to files and headings that do not exist. */
function brokenLinks(page: string, text: string): string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^\w+:/.test(link)) return false;
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : normalize(join(dirname(page), path));
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && !(target.endsWith('.md') && anchorsOf(target).includes(anchor));
  });
}

test.each(pages)('the links of %s lead somewhere', (page) => {
  expect(brokenLinks(page, read(page))).toEqual([]);
});

test('a broken link would be found', () => {
  const text = '[a](settings.md) [b](settings.md#redis) [c](gone.md) [d](settings.md#gone) [e](../docs#gone)';
  expect(brokenLinks('docs/operations.md', text)).toEqual(['gone.md', 'settings.md#gone', '../docs#gone']);
});

test('the README of a workspace is at most 6 kB', () => {
  const isLong = (page: string) =>
    page.endsWith('/README.md') &&
    existsSync(join(root, dirname(page), 'package.json')) &&
    read(page).length > 6000;
  expect(pages.filter(isLong)).toEqual([]);
});
