import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { fetch } from 'undici';
import { createAddresses } from './addresses.ts';

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

function startTarget(): Promise<number> {
  return listen(createServer((_, response) => response.end('from the store')));
}

/** A tunneling proxy that records its requests; it refuses them when `status` is not 200. */
async function startProxy(status = 200) {
  const seen: { target: string; authorization: string | undefined }[] = [];
  const server = createServer((_, response) => response.writeHead(400).end());
  server.on('connect', (request: IncomingMessage, socket) => {
    const target = request.url ?? '';
    seen.push({ target, authorization: request.headers['proxy-authorization'] });
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
    const [host, port] = target.split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [upstream, socket]) end.on('error', () => {});
    closing.push(
      () => upstream.destroy(),
      () => socket.destroy(),
    );
  });
  return { port: await listen(server), seen };
}

function open(...proxies: string[]) {
  const { addresses, close } = createAddresses(proxies.map((proxy) => new URL(proxy)));
  closing.push(close);
  return addresses;
}

test('without proxies the only address is the direct one', () => {
  expect(open()).toEqual([{ label: 'direct', dispatcher: undefined }]);
});

test('a call goes through its proxy with the credentials, over plain HTTP too', async () => {
  const target = await startTarget();
  const proxy = await startProxy();
  const [, proxied] = open(`http://me%40home:s%3Acret@127.0.0.1:${proxy.port}`);
  if (!proxied?.dispatcher) throw new Error('a proxy has a dispatcher');
  const response = await fetch(`http://127.0.0.1:${target}/page`, { dispatcher: proxied.dispatcher });
  expect(await response.text()).toBe('from the store');
  const authorization = `Basic ${Buffer.from('me@home:s:cret').toString('base64')}`;
  expect(proxy.seen).toEqual([{ target: `127.0.0.1:${target}`, authorization }]);
});

test('a user name without a password is sent; without credentials nothing is sent', async () => {
  const target = await startTarget();
  const proxy = await startProxy();
  for (const url of [`http://token@127.0.0.1:${proxy.port}`, `http://127.0.0.1:${proxy.port}`]) {
    const [, proxied] = open(url);
    if (!proxied?.dispatcher) throw new Error('a proxy has a dispatcher');
    await (await fetch(`http://127.0.0.1:${target}/`, { dispatcher: proxied.dispatcher })).text();
  }
  expect(proxy.seen.map(({ authorization }) => authorization)).toEqual([
    `Basic ${Buffer.from('token:').toString('base64')}`,
    undefined,
  ]);
});

test.each([407, 502])(
  'a proxy that answers %i fails the call, and no error contains the password',
  async (status) => {
    const proxy = await startProxy(status);
    const [, proxied] = open(`http://me:s3cret@127.0.0.1:${proxy.port}`);
    if (!proxied?.dispatcher) throw new Error('a proxy has a dispatcher');
    const failed = await fetch('http://127.0.0.1:9/', { dispatcher: proxied.dispatcher }).catch(
      (error) => error,
    );
    expect(failed).toBeInstanceOf(Error);
    const texts: string[] = [];
    for (let error = failed; error; error = error.cause)
      texts.push(JSON.stringify(error), String(error), error.stack);
    expect(texts.join()).not.toMatch(/s3cret|bWU6czNjcmV0/);
  },
);

test('labels name the host and differ by user name without showing credentials', () => {
  const labels = open(
    'http://me:s3cret@proxy.example:3128',
    'http://you:s3cret@proxy.example:3128',
    'https://proxy.example',
  ).map(({ label }) => label);
  expect(labels).toEqual([
    'direct',
    expect.stringMatching(/^proxy\.example:3128-[0-9a-f]{6}$/),
    expect.stringMatching(/^proxy\.example:3128-[0-9a-f]{6}$/),
    expect.stringMatching(/^proxy\.example:443-[0-9a-f]{6}$/),
  ]);
  expect(new Set(labels).size).toBe(4);
  expect(labels.join()).not.toMatch(/s3cret|me:|you:/);
});

test('a label says nothing about the password', () => {
  const [, one] = open('http://me:s3cret@proxy.example:3128');
  const [, other] = open('http://me:guessed@proxy.example:3128');
  expect(one?.label).toBe(other?.label);
});

test('closing the addresses closes the connections to the proxy', async () => {
  const target = await startTarget();
  const proxy = await startProxy();
  const { addresses, close } = createAddresses([new URL(`http://127.0.0.1:${proxy.port}`)]);
  const dispatcher = addresses[1]?.dispatcher;
  if (!dispatcher) throw new Error('a proxy has a dispatcher');
  await (await fetch(`http://127.0.0.1:${target}/`, { dispatcher })).text();
  await close();
  await expect(fetch(`http://127.0.0.1:${target}/`, { dispatcher })).rejects.toThrow();
});
