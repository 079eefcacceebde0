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

test('no error quotes a key back, wherever a message has one', async () => {
  const mcp = await startServiceProcess('mcp/src/main.ts', { MCP_ADDRESS: '127.0.0.1:0' });
  const key = `sw_live_${'Ab3'.repeat(14)}x`;
  const call = (fields: object) => ({ jsonrpc: '2.0', id: 1, ...fields });
  const messages: unknown[] = [
    call({ method: key }),
    call({ method: 'tools/call', params: { name: key } }),
    call({ method: 'tools/call', params: { name: 'list_keywords', arguments: { app_id: key } } }),
    call({ method: 'tools/call', params: { name: 'list_keywords', arguments: { [key]: 1 } } }),
    call({ method: 'prompts/get', params: { name: key } }),
    call({ method: 'resources/read', params: { uri: `shelfwise://${key}` } }),
    call({ method: 'initialize', params: { protocolVersion: key, capabilities: key } }),
    { jsonrpc: key, id: key, method: 'ping' },
    { jsonrpc: '2.0', id: key, method: 'nothing' },
  ];
  const accept = 'application/json, text/event-stream';
  for (const message of messages) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', accept };
    const body = JSON.stringify(message);
    const answer = await (await fetch(`http://${mcp.address}/mcp`, { method: 'POST', headers, body })).text();
    expect(answer).toMatch(/error|Error/);
    expect(answer).not.toContain(key.slice(8));
  }
  for (const name of ['mcp-protocol-version', 'accept', 'mcp-method', 'mcp-name']) {
    const headers = { 'x-api-key': key, 'content-type': 'application/json', accept, [name]: key };
    const body = JSON.stringify(call({ method: 'nothing' }));
    const answer = await fetch(`http://${mcp.address}/mcp`, { method: 'POST', headers, body });
    expect(await answer.text()).not.toContain(key.slice(8));
  }
  expect(await mcp.end()).toBe(0);
  expect(mcp.output()).not.toContain(key.slice(8));
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
