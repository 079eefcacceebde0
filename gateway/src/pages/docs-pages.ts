import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestHandler } from 'express';
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { prefersHtml } from '../http/answer-format.ts';
import type { PublicPage } from '../routes/route/define-route.ts';
import { answerPrepared } from './prepared-answer.ts';

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

/** In seconds: the page and the document change with a new version of Shelfwise, the assets only with Swagger UI. */
const pageMaxAge = 300;
const assetMaxAge = 86_400;

/**
 * The API documentation as a web page. Its assets come from the installed package, never from another host.
 * @param createDocument makes the OpenAPI document when it is first requested
 * @param hasDashboard a browser that opens / is led there
 */
export function createDocsPages({
  createDocument,
  hasDashboard,
}: {
  createDocument: () => Promise<unknown>;
  hasDashboard: boolean;
}): PublicPage[] {
  const icon = answerAsset('favicon-32x32.png', 'image/png');
  return [
    {
      path: '/',
      answer: (request, response) =>
        response.redirect(hasDashboard && prefersHtml(request) ? '/dashboard' : '/docs'),
    },
    { path: '/docs', answer: answerPage(pageHtml, 'text/html; charset=utf-8') },
    { path: '/docs/start.js', answer: answerPage(startScript, 'text/javascript; charset=utf-8') },
    { path: '/docs/swagger-ui.css', answer: answerAsset('swagger-ui.css', 'text/css; charset=utf-8') },
    {
      path: '/docs/swagger-ui-bundle.js',
      answer: answerAsset('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    },
    { path: '/docs/favicon-32x32.png', answer: icon },
    // Browsers request this path for every page that names no icon, for example /api/v1/openapi.json.
    { path: '/favicon.ico', answer: icon },
    {
      path: '/api/v1/openapi.json',
      answer: answerPrepared(async () => Buffer.from(JSON.stringify(await createDocument())), {
        type: 'application/json; charset=utf-8',
        maxAgeSeconds: pageMaxAge,
      }),
    },
  ];
}

function answerPage(body: string, type: string): RequestHandler {
  const answer = answerPrepared(() => Buffer.from(body), { type, maxAgeSeconds: pageMaxAge });
  return (request, response, next) => {
    response.set('Content-Security-Policy', contentSecurityPolicy);
    return answer(request, response, next);
  };
}

function answerAsset(file: string, type: string): RequestHandler {
  const body = readFileSync(join(swaggerUiFolder(), file));
  return answerPrepared(() => body, { type, maxAgeSeconds: assetMaxAge });
}
