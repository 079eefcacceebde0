// A client of the first generation of the protocol's SDK, which connects with nothing but the address. It is copied next to that SDK.
// Prints where the browser must go, reads where the browser was sent back to, and prints what the tools say.
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const url = new URL(process.argv[2]);
const redirectUrl = 'http://127.0.0.1:33418/callback';
const kept = {};
const authProvider = {
  redirectUrl,
  clientMetadata: {
    client_name: 'First generation',
    redirect_uris: [redirectUrl],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => Object.assign(kept, { client }),
  tokens: () => kept.tokens,
  saveTokens: (tokens) => Object.assign(kept, { tokens }),
  redirectToAuthorization: (address) => console.log(address.href),
  saveCodeVerifier: (verifier) => Object.assign(kept, { verifier }),
  codeVerifier: () => kept.verifier,
};

const newClient = () => new Client({ name: 'first-generation', version: '1.0.0' });
const transport = new StreamableHTTPClientTransport(url, { authProvider });
await newClient()
  .connect(transport)
  .catch((error) => {
    if (!kept.verifier) throw error;
  });
const [returned] = await createInterface({ input: process.stdin })
  [Symbol.asyncIterator]()
  .next()
  .then(({ value }) => [new URL(value)]);
await transport.finishAuth(returned.searchParams.get('code'));
const client = newClient();
await client.connect(new StreamableHTTPClientTransport(url, { authProvider }));
const { tools } = await client.listTools();
const { structuredContent } = await client.callTool({ name: 'get_account_usage', arguments: {} });
// As at the end of an hour.
kept.tokens = { ...kept.tokens, access_token: 'sw_access_none' };
const { isError = false } = await client.callTool({ name: 'list_applications', arguments: {} });
console.log(JSON.stringify({ tools: tools.length, plan: structuredContent?.data.plan, isRenewed: !isError }));
await client.close();
process.exit(0);
