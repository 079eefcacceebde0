import type { RequestHandler } from 'express';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import type { PublicPage } from '../routes/common/define-route.ts';

/** Scripts only from this server; inline styles are allowed, because Swagger UI writes them. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shelfwise API</title>
<link rel="icon" type="image/png" sizes="32x32" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="api"></div>
<noscript>This page needs JavaScript. It shows this document: <a href="/api/v1/openapi.json">openapi.json</a></noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

/** The browser does not store a key typed into the page: `persistAuthorization` stays off. */
const startScript = `SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null });
`;

/** The API documentation as a web page. Its assets come from the installed package, never from another host. */
export function createDocsPages(document: unknown): PublicPage[] {
  return [
    { path: '/', answer: (_request, response) => response.redirect('/docs') },
    { path: '/docs', answer: sendText('html', pageHtml) },
    { path: '/docs/start.js', answer: sendText('js', startScript) },
    { path: '/docs/swagger-ui.css', answer: sendAsset('swagger-ui.css') },
    { path: '/docs/swagger-ui-bundle.js', answer: sendAsset('swagger-ui-bundle.js') },
    { path: '/docs/favicon-32x32.png', answer: sendAsset('favicon-32x32.png') },
    // Browsers request this path for every page that names no icon, for example /api/v1/openapi.json.
    { path: '/favicon.ico', answer: sendAsset('favicon-32x32.png') },
    { path: '/api/v1/openapi.json', answer: (_request, response) => void response.json(document) },
  ];
}

function sendText(type: string, body: string): RequestHandler {
  return (_request, response) => {
    response.set('Content-Security-Policy', contentSecurityPolicy).type(type).send(body);
  };
}

function sendAsset(file: string): RequestHandler {
  return (_request, response, next) => {
    const options = { root: swaggerUiFolder(), maxAge: '1d', cacheControl: true };
    // `no-store` of every answer would otherwise win over `maxAge`.
    response.removeHeader('Cache-Control');
    response.sendFile(file, options, (error) => error && next(error));
  };
}
