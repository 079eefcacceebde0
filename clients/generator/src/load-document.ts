import { createHash } from 'node:crypto';
import { createOpenApiDocument } from '@shelfwise/gateway/openapi/openapi-document';
import { routes } from '@shelfwise/gateway/routes/index';
import type { OpenApiDocument } from './openapi-types.ts';
import { type PreparedDocument, prepareDocument } from './prepare-document.ts';

/** The OpenAPI document of the gateway, without examples. The fingerprint changes with everything that the clients are made from. */
export function loadDocument(): PreparedDocument & { fingerprint: string } {
  const document = createOpenApiDocument(routes, () => undefined) as unknown as OpenApiDocument;
  // As a reader of /api/v1/openapi.json sees it: what is undefined is not there.
  const prepared = prepareDocument(JSON.parse(JSON.stringify(document)));
  const fingerprint = createHash('sha256').update(JSON.stringify(prepared)).digest('hex').slice(0, 16);
  return { ...prepared, fingerprint };
}
