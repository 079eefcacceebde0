import { startServiceProcess } from '../../testing/system/service-process.ts';

test('the assistant server starts alone, answers gateways only, and stops', async () => {
  const mcp = await startServiceProcess('mcp/src/main.ts', { MCP_ADDRESS: '127.0.0.1:0' });
  const url = `http://${mcp.address}`;
  const statusOf = async (path: string, init?: RequestInit) => (await fetch(url + path, init)).status;
  expect(await statusOf('/mcp', { method: 'POST', body: '{}' })).toBe(401);
  expect(await statusOf('/mcp')).toBe(405);
  expect(await statusOf('/other', { method: 'POST' })).toBe(404);
  const headers = { 'x-api-key': 'key', 'content-type': 'application/json' };
  const large = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { x: 'x'.repeat(2 ** 21) } });
  expect(await statusOf('/mcp', { method: 'POST', headers, body: large })).toBe(413);
  expect(await statusOf('/mcp', { method: 'POST', headers, body: '[]' })).toBe(400);
  expect(await mcp.end()).toBe(0);
});

test.each([
  ['MCP_ADDRESS', '0.0.0.0:8090', /MCP_ADDRESS .* without encryption/],
  ['SHELFWISE_BASE_URL', 'http://gateway.example:8080', /SHELFWISE_BASE_URL .* without encryption/],
  ['MCP_ADDRESS', '8090', /MCP_ADDRESS.* must be host:port/],
])('%s=%s is refused at the start', async (name, value, message) => {
  const mcp = await startServiceProcess('mcp/src/main.ts', { [name]: value });
  expect(await mcp.end()).toBe(1);
  expect(mcp.output()).toMatch(message);
});
