import type { RequestHandler } from 'express';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import type { PublicPage } from './public-page.ts';

/** Scripts only from here; styles also inline, because the viewer writes them so. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shelfwise API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<noscript>This page needs JavaScript. The document that it shows: <a href="/api/v1/openapi.json">openapi.json</a></noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** A key typed into the page is not kept by the browser: `persistAuthorization` stays off. */
const start = `SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });
`;

/** The readable documentation. Its assets come from the installed package, never from another host. */
export function docsPages(document: unknown): PublicPage[] {
  const asset = (file: string): PublicPage => ({
    path: `/docs/${file}`,
    answer: (_request, response, next) => {
      const options = { root: swaggerUiFolder(), maxAge: '1d', cacheControl: true };
      response.removeHeader('Cache-Control');
      response.sendFile(file, options, (error) => error && next(error));
    },
  });
  const text =
    (type: string, body: string): RequestHandler =>
    (_request, response) => {
      response.set('Content-Security-Policy', policy).type(type).send(body);
    };
  return [
    { path: '/', answer: (_request, response) => response.redirect('/docs') },
    { path: '/docs', answer: text('html', page) },
    { path: '/docs/start.js', answer: text('js', start) },
    asset('swagger-ui.css'),
    asset('swagger-ui-bundle.js'),
    { path: '/api/v1/openapi.json', answer: (_request, response) => void response.json(document) },
  ];
}
