import { X509Certificate } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import {
  type ChannelCredentials,
  Client,
  credentials,
  Server,
  ServerCredentials,
  status,
} from '@grpc/grpc-js';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { callWithin } from '../../testing/call-within.ts';
import { until } from '../../testing/until.ts';
import { useClosing } from '../../testing/use-closing.ts';
import { createGrpcClient } from '../src/grpc/client/grpc-client.ts';
import { createGrpcServer } from '../src/grpc/server/grpc-server.ts';
import { openGrpcSecurity } from '../src/grpc/tls/grpc-security.ts';
import { type TlsCertificates, watchCertificates } from '../src/grpc/tls/tls-certificates.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { readPems, useCertificates } from './lib/certificates.ts';
import { createRecordingLogger } from './recording-logger.ts';

const { create, issue } = useCertificates();
const closing = useClosing();

const unreachable = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'The probe service cannot be reached. Try again.',
};

async function watch(folder: string) {
  const { logger, lines } = createRecordingLogger();
  const certificates = await watchCertificates({ folder, logger, checkEveryMs: 10 });
  closing.push(() => certificates.close());
  return { certificates, lines };
}

/** A server with mutual TLS, which counts its calls. */
async function startServer(certificates: TlsCertificates, address = '127.0.0.1:0') {
  const { logger } = createRecordingLogger();
  const seen = { calls: 0 };
  const security = { certificates, isInsecureAllowed: false, secret: null };
  const server = createGrpcServer({ name: 'probe', logger, metrics: createMetrics(), security });
  server.addService(StatusServiceService, {
    getStatus: async () => {
      seen.calls++;
      return { parts: [] };
    },
  });
  closing.push(() => server.drain(1000));
  return { seen, address: await server.listen(address) };
}

async function connect(address: string, folder: string) {
  const { certificates } = await watch(folder);
  const security = { certificates, isInsecureAllowed: false, secret: null };
  const { client, close } = createGrpcClient({
    service: StatusServiceService,
    name: 'probe',
    address,
    security,
  });
  closing.push(close);
  return client;
}

/** Calls as any gRPC client would. */
function callWith(address: string, channelCredentials: ChannelCredentials): Promise<unknown> {
  const client = new Client(address, channelCredentials);
  closing.push(() => client.close());
  const { path, requestSerialize, responseDeserialize } = StatusServiceService.getStatus;
  return new Promise((resolve, reject) =>
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, callWithin(), (error, reply) =>
      error ? reject(error) : resolve(reply),
    ),
  );
}

/** A server as any gRPC server would be. */
async function startOther(serverCredentials: ServerCredentials) {
  const seen = { calls: 0 };
  const server = new Server();
  server.addService(
    { getStatus: StatusServiceService.getStatus },
    {
      getStatus: (_call: unknown, reply: (error: null, value: unknown) => void) => {
        seen.calls++;
        reply(null, { parts: [] });
      },
    },
  );
  closing.push(() => server.forceShutdown());
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', serverCredentials, (error, bound) =>
      error ? reject(error) : resolve(bound),
    ),
  );
  return { seen, address: `127.0.0.1:${port}` };
}

describe('peers with certificates of one authority', () => {
  test.each(['127.0.0.1', 'localhost'])('reach each other at %s', async (host) => {
    const { certificates } = await watch(issue('server'));
    const { address } = await startServer(certificates);
    const client = await connect(address.replace('127.0.0.1', host), issue('client', { hosts: 'client' }));
    expect(await client.getStatus({}, callWithin())).toEqual({ parts: [] });
  });

  test('may be copies with addresses of their own', async () => {
    const { certificates } = await watch(issue('first', { hosts: '127.0.0.1' }));
    const { certificates: others } = await watch(issue('second', { hosts: '127.0.0.2' }));
    const first = await startServer(certificates);
    const second = await startServer(others, '127.0.0.2:0');
    const client = await connect(`${first.address},${second.address}`, issue('client', { hosts: 'client' }));
    await until(async () => {
      await client.getStatus({}, callWithin());
      return first.seen.calls > 0 && second.seen.calls > 0;
    });
  });
});

describe('a server refuses a client', () => {
  test.each<[string, (ca: Buffer) => ChannelCredentials]>([
    ['without TLS', () => credentials.createInsecure()],
    ['without a certificate', (ca) => credentials.createSsl(ca)],
    [
      'with a certificate of another authority',
      (ca) => {
        const { key, certificate } = readPems(issue('client', { authority: 'theirs' }));
        return credentials.createSsl(ca, key, certificate);
      },
    ],
    [
      'with an expired certificate',
      (ca) => {
        const { key, certificate } = readPems(issue('server', { days: -1 }));
        return credentials.createSsl(ca, key, certificate);
      },
    ],
  ])('%s', async (_client, toCredentials) => {
    const folder = issue('server');
    const { certificates } = await watch(folder);
    const { address, seen } = await startServer(certificates);
    const { ca } = readPems(folder);
    await expect(callWith(address, toCredentials(ca))).rejects.toMatchObject({ code: status.UNAVAILABLE });
    expect(seen.calls).toBe(0);
    const { key, certificate } = readPems(issue('client'));
    expect(await callWith(address, credentials.createSsl(ca, key, certificate))).toEqual({ parts: [] });
  });
});

describe('a client refuses a server', () => {
  const ssl = (folder: string) => {
    const { ca, key, certificate } = readPems(folder);
    return ServerCredentials.createSsl(ca, [{ private_key: key, cert_chain: certificate }], false);
  };
  test.each<[string, () => ServerCredentials]>([
    ['without TLS', () => ServerCredentials.createInsecure()],
    ['with a certificate of another authority', () => ssl(issue('server', { authority: 'theirs' }))],
    ['with an expired certificate', () => ssl(issue('server', { days: -1 }))],
    ['with a certificate for another host', () => ssl(issue('elsewhere', { hosts: 'localhost,127.0.0.2' }))],
  ])('%s', async (_server, toCredentials) => {
    const { address, seen } = await startOther(toCredentials());
    const client = await connect(address, issue('client'));
    await expect(client.getStatus({}, callWithin())).rejects.toMatchObject(unreachable);
    expect(seen.calls).toBe(0);
  });

  test('but not one that is in order', async () => {
    const { address } = await startOther(ssl(issue('server')));
    const client = await connect(address, issue('client'));
    expect(await client.getStatus({}, callWithin())).toEqual({ parts: [] });
  });
});

describe('certificates that change while a process runs', () => {
  /** The serial number of the certificate that a server shows to a new connection. */
  const shownSerial = (address: string, folder: string) =>
    new Promise<string | undefined>((resolve, reject) => {
      const { ca, key, certificate } = readPems(folder);
      const [host, port] = address.split(':');
      const socket = connectTls(
        { host, port: Number(port), ca, key, cert: certificate, ALPNProtocols: ['h2'] },
        () => {
          resolve(socket.getPeerX509Certificate()?.serialNumber);
          socket.destroy();
        },
      );
      socket.on('error', reject);
    });
  const serialIn = (folder: string) =>
    new X509Certificate(readFileSync(join(folder, 'tls.crt'))).serialNumber;

  test('are used for new connections', async () => {
    const folder = create('server');
    const { certificates } = await watch(folder);
    const { address } = await startServer(certificates);
    const client = issue('client');
    const before = serialIn(folder);
    expect(await shownSerial(address, client)).toBe(before);
    create('server');
    expect(serialIn(folder)).not.toBe(before);
    await until(async () => (await shownSerial(address, client)) === serialIn(folder));
  });

  test('may have a new authority: then those of the old one are refused', async () => {
    const server = issue('server');
    const client = issue('client');
    const { certificates } = await watch(server);
    const { address } = await startServer(certificates);
    const old = readPems(issue('client'));
    for (const folder of [server, client])
      cpSync(issue('server', { authority: 'new', hosts: '127.0.0.1' }), folder, { recursive: true });
    const { ca } = readPems(server);
    const tryOld = () => callWith(address, credentials.createSsl(ca, old.key, old.certificate));
    const tryNew = async () => (await connect(address, client)).getStatus({}, callWithin());
    await until(() => tryNew().then(Boolean, () => false));
    await expect(tryOld()).rejects.toMatchObject({ code: status.UNAVAILABLE });
  });

  test('are used by clients that were created before', async () => {
    const { certificates } = await watch(issue('server', { authority: 'new', hosts: '127.0.0.1' }));
    const folder = issue('client');
    const { address } = await startServer(certificates);
    const client = await connect(address, folder);
    await expect(client.getStatus({}, callWithin())).rejects.toMatchObject(unreachable);
    cpSync(issue('client', { authority: 'new' }), folder, { recursive: true });
    await until(() => client.getStatus({}, callWithin()).then(Boolean, () => false));
  });

  test('and cannot be used are reported once, and the previous ones stay in use', async () => {
    const folder = issue('server');
    const { certificates, lines } = await watch(folder);
    const { address } = await startServer(certificates);
    const serial = serialIn(folder);
    const { key } = readPems(issue('client'));
    writeFileSync(join(folder, 'tls.key'), key);
    await until(() => lines.length > 0);
    writeFileSync(join(folder, 'tls.crt'), 'nothing');
    await until(() => lines.length > 1);
    expect(lines[0]).toContain('the previous certificates stay in use');
    expect(lines[0]).toContain('is not that of tls.crt');
    expect(lines[1]).toContain('is not a certificate in PEM format');
    expect(await shownSerial(address, issue('client'))).toBe(serial);
  });
});

describe('certificates that expire', () => {
  const dayMs = 24 * 60 * 60 * 1000;
  const expiryOf = (folder: string, name: string) =>
    Date.parse(new X509Certificate(readFileSync(join(folder, name))).validTo) / 1000;
  async function readMetric(metrics: ReturnType<typeof createMetrics>): Promise<Record<string, number>> {
    const metric = await metrics.registry
      .getSingleMetric('shelfwise_tls_certificate_expiry_timestamp_seconds')
      ?.get();
    return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [labels.file, value]));
  }

  test('are shown as metrics, also after they were renewed', async () => {
    const folder = issue('server');
    const { logger } = createRecordingLogger();
    const metrics = createMetrics();
    const security = await openGrpcSecurity(
      { GRPC_TLS_DIR: folder, GRPC_INSECURE: false },
      { logger, metrics, onStop: (_name, close) => closing.push(close) },
    );
    expect(await readMetric(metrics)).toEqual({
      'tls.crt': expiryOf(folder, 'tls.crt'),
      'ca.crt': expiryOf(folder, 'ca.crt'),
    });
    expect(security.certificates?.expiries()).toHaveLength(2);
  });

  test('are followed when the files change', async () => {
    const folder = issue('server');
    const { certificates } = await watch(folder);
    const before = expiryOf(folder, 'tls.crt');
    cpSync(issue('server', { days: 60 }), folder, { recursive: true });
    const own = () => certificates.expiries().find(({ file }) => file === 'tls.crt')?.expiresAtMs;
    await until(() => own() === expiryOf(folder, 'tls.crt') * 1000);
    expect((expiryOf(folder, 'tls.crt') - before) * 1000).toBeGreaterThan(29 * dayMs);
  });

  test('of several authorities count as the first that expires', async () => {
    const folder = issue('server');
    const soon = issue('server', { days: 3 });
    const bundle = Buffer.concat([readPems(folder).ca, readPems(soon).certificate]);
    writeFileSync(join(folder, 'ca.crt'), bundle);
    const { certificates } = await watch(folder);
    const ca = certificates.expiries().find(({ file }) => file === 'ca.crt');
    expect(ca?.expiresAtMs).toBe(expiryOf(soon, 'tls.crt') * 1000);
  });

  test('are reported within the last seven days: at once, then once a day', async () => {
    const folder = issue('server');
    const { logger, lines } = createRecordingLogger();
    const expiresMs = expiryOf(folder, 'tls.crt') * 1000;
    let nowMs = expiresMs - 8 * dayMs;
    let reads = 0;
    const now = () => {
      reads++;
      return nowMs;
    };
    const certificates = await watchCertificates({ folder, logger, checkEveryMs: 5, now });
    closing.push(() => certificates.close());
    async function warningsAt(ms: number): Promise<number> {
      nowMs = ms;
      const readsBefore = reads;
      await until(() => reads > readsBefore + 2);
      return lines.filter((line) => line.includes('expires soon') && line.includes('tls.crt')).length;
    }
    expect(await warningsAt(expiresMs - 7.1 * dayMs)).toBe(0);
    expect(await warningsAt(expiresMs - 6.9 * dayMs)).toBe(1);
    expect(await warningsAt(expiresMs - 6 * dayMs)).toBe(1);
    expect(await warningsAt(expiresMs - 5.8 * dayMs)).toBe(2);
  });

  test('soon are reported at the start', async () => {
    const { lines } = await watch(issue('server', { days: 3 }));
    expect(lines.join()).toContain('expires soon');
  });
});

describe('a start is refused with certificates', () => {
  test.each<[string, (folder: string) => void, RegExp]>([
    ['that are missing', () => {}, /^GRPC_TLS_DIR: .*ca\.crt cannot be read \(ENOENT/],
    ['that have expired', (folder) => copy('server', folder, { days: -1 }), /tls\.crt expired on .*\.$/],
    [
      'with the key of another one',
      (folder) => {
        copy('server', folder);
        writeFileSync(join(folder, 'tls.key'), readPems(issue('client')).key);
      },
      /^GRPC_TLS_DIR: the key in .*tls\.key is not that of tls\.crt\.$/,
    ],
    [
      'that are something else',
      (folder) => {
        copy('server', folder);
        writeFileSync(join(folder, 'tls.key'), 'key');
      },
      /tls\.key is not a private key in PEM format\.$/,
    ],
  ])('%s', async (name, prepare, message) => {
    const folder = join(issue('server'), name);
    prepare(folder);
    const { logger } = createRecordingLogger();
    await expect(watchCertificates({ folder, logger })).rejects.toThrow(message);
  });

  const copy = (name: string, folder: string, options?: { days: number }) =>
    cpSync(issue(name, options), folder, { recursive: true });
});
