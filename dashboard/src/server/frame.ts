import { escapeHtml } from '@shelfwise/facts/text/escape-html';
import { language } from '#language';
import * as texts from '#texts';
import type { PageData } from '../page-data.ts';
import { pages, sharedScript } from '../pages.ts';
import { titleOf } from '../title-of.ts';
import type { Assets } from './assets.ts';

/**
 * The HTML of a page, with its style and its data. The headers of the dashboard forbid any other style, and every script in it.
 */
export function renderFrame(data: PageData, { scripts, style }: Assets['head']): string {
  return `<!doctype html>
<html lang="${language.tag}" dir="${language.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(`${titleOf(data)} · ${texts.product}`)}</title>
<link rel="icon" type="image/png" sizes="32x32" href="/docs/favicon-32x32.png">
<link rel="modulepreload" href="/dashboard/assets/${scripts[sharedScript]}">
<script type="module" src="/dashboard/assets/${scripts[pages[data.page].script]}"></script>
<style>${style}</style>
${describeReload(data)}</head>
<body>
<div id="page"></div>
<noscript>${texts.noScript} <a href="/docs">/docs</a></noscript>
<script type="application/json" id="data">${toJson(data)}</script>
</body>
</html>
`;
}

/** Without its script a page that loads again does so, too. */
function describeReload({ page, model }: PageData): string {
  if (page !== 'problem' || !model.reloads) return '';
  return `<noscript><meta http-equiv="refresh" content="${model.retryAfterSeconds}"></noscript>\n`;
}

/** JSON that no browser takes for the end of its element, or for a comment. */
function toJson(data: PageData): string {
  return JSON.stringify(data).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
