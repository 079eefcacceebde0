import { mongo } from 'mongoose';
import { allow, createPkce, echoEndpoint, openAssistant, publicUrl, signedIn } from './harness/assistant.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway({ trustProxy: 1, mcp: echoEndpoint, dashboard: { publicUrl } });

async function start() {
  const account = await api.createKey();
  const browser = await signedIn(api, account.key);
  return { browser, assistant: openAssistant(api) };
}

afterEach(() => jest.restoreAllMocks());

/** The next write of this kind fails before it reaches the database, which then is back. */
function failOnce(collection: string, operation: 'insertOne' | 'updateOne' | 'find') {
  const model = api.connection.modelNames().map((name) => api.connection.model(name));
  const found = model.find(({ collection: { collectionName } }) => collectionName === collection);
  if (!found) throw new Error(`no collection ${collection}`);
  return jest.spyOn(found.collection, operation as 'find').mockImplementationOnce(() => {
    throw new mongo.MongoNetworkError('the primary steps down');
  });
}

const steps = [
  ['oauth_grants', 'updateOne'],
  ['oauth_tokens', 'insertOne'],
  ['oauth_tokens', 'find'],
] as const;

test.each(steps)('a refresh that fails at %s %s may be sent again', async (collection, operation) => {
  const { assistant, browser } = await start();
  const { refresh_token: token, clientId } = await assistant.connect(browser);
  const failure = failOnce(collection, operation);
  expect((await assistant.refresh(token, clientId)).status).toBe(503);
  expect(failure).toHaveBeenCalled();
  const again = await assistant.refresh(token, clientId);
  expect(again.status).toBe(200);
  expect((await assistant.send(again.body.access_token)).status).toBe(200);
});

test.each([
  ['oauth_codes', 'updateOne'],
  ['oauth_grants', 'insertOne'],
  ['oauth_tokens', 'insertOne'],
] as const)(
  'a code whose exchange fails at %s %s may be sent again, and becomes one connection',
  async (collection, operation) => {
    const { assistant, browser } = await start();
    const clientId: string = (await assistant.register()).body.client_id;
    const pkce = createPkce();
    const code = await allow(browser, assistant.ask(clientId, pkce));
    const failure = failOnce(collection, operation);
    expect((await assistant.exchange(code, clientId, pkce)).status).toBe(503);
    expect(failure).toHaveBeenCalled();
    const again = await assistant.exchange(code, clientId, pkce);
    expect(again.status).toBe(200);
    expect((await assistant.send(again.body.access_token)).status).toBe(200);
    expect((await browser.send('GET', '/connections')).body.data).toHaveLength(1);
  },
);

test('what fails after a code was used does not keep its tokens back', async () => {
  const { assistant, browser } = await start();
  const clientId: string = (await assistant.register()).body.client_id;
  const pkce = createPkce();
  const code = await allow(browser, assistant.ask(clientId, pkce));
  // Only the search for connections above fifty reads several.
  const failure = failOnce('oauth_grants', 'find');
  expect((await assistant.exchange(code, clientId, pkce)).status).toBe(200);
  expect(failure).toHaveBeenCalled();
});

test.each([
  ['oauth_grants', 'insertOne'],
  ['oauth_tokens', 'insertOne'],
  ['oauth_codes', 'updateOne'],
] as const)(
  'the end of all connections does not miss one whose exchange is at %s %s',
  async (name, operation) => {
    const { assistant, browser } = await start();
    const clientId: string = (await assistant.register()).body.client_id;
    const pkce = createPkce();
    const code = await allow(browser, assistant.ask(clientId, pkce));
    const collection = api.connection.collection(name);
    const write = Reflect.get(collection, operation);
    jest.spyOn(collection, operation as 'insertOne').mockImplementationOnce(async (...values: unknown[]) => {
      expect((await browser.send('DELETE', '/connections')).status).toBe(200);
      return Reflect.apply(write, collection, values);
    });
    expect((await assistant.exchange(code, clientId, pkce)).body.error).toBe('invalid_grant');
    expect((await browser.send('GET', '/connections')).body.data).toEqual([]);
  },
);
