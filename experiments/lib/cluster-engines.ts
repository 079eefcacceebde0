import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { join } from 'node:path';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { startRedisServer } from '../../testing/redis-servers.ts';
import { createCertificates, createKeystore } from './certificates.ts';
import type { Cluster } from './kubernetes.ts';
import { startBroker } from './own-broker.ts';

const kafkaPort = Number(process.env.KAFKA_PORT ?? 19092) + 30;
const ports = { mongodb: 27017, redis: 6379, kafka: 9092 };
const password = 'pass/word@1';

/**
 * Engines on this machine that pods reach: Redis and Kafka with TLS and passwords, and the embedded database, which has neither.
 */
export async function startClusterEngines(dir: string, { name, address: host }: Cluster['host']) {
  createCertificates(dir, 'engines', name, '127.0.0.1');
  const folder = join(dir, 'engines');
  const authority = readFileSync(join(folder, 'ca.crt'), 'utf8');
  const database = await startEngine({ dataDir: join(dir, 'database') });
  const redis = await startRedisServer(['--requirepass', password, '--tls-auth-clients', 'no'], folder);
  const saslPort = kafkaPort + 2;
  const broker = await startBroker(
    kafkaPort,
    [
      `listeners=PLAINTEXT://127.0.0.1:${kafkaPort},CONTROLLER://127.0.0.1:${kafkaPort + 1},SASL://127.0.0.1:${saslPort}`,
      `advertised.listeners=PLAINTEXT://127.0.0.1:${kafkaPort},SASL://${name}:${ports.kafka}`,
      'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_SSL',
      'ssl.keystore.type=PEM',
      `ssl.keystore.location=${createKeystore(folder)}`,
      'sasl.enabled.mechanisms=PLAIN',
      `listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_shelfwise="${password}";`,
      '',
    ].join('\n'),
  );
  const socketPath = decodeURIComponent(database.mongodbUri.replace('mongodb://', ''));
  const forwards = await Promise.all([
    forwardPort({ host, port: ports.mongodb }, { path: socketPath }),
    forwardPort({ host, port: ports.redis }, { port: redis.port, host: '127.0.0.1' }),
    forwardPort({ host, port: ports.kafka }, { port: saslPort, host: '127.0.0.1' }),
  ]);
  return {
    /** The database, for this machine. */
    mongodbUri: database.mongodbUri,
    /** Those with a process of their own; the database has none. */
    pids: { redis: redis.pid(), kafka: broker.pid() },
    /** The secrets that the values name. */
    secrets: {
      'shelfwise-mongodb': { uri: `mongodb://${name}:${ports.mongodb}/?directConnection=true` },
      'shelfwise-redis': {
        url: `rediss://:${encodeURIComponent(password)}@${name}:${ports.redis}`,
      },
      'shelfwise-kafka': { username: 'shelfwise', password },
      'shelfwise-engines-tls': { 'ca.crt': authority },
    },
    async stop() {
      for (const forward of forwards) await forward.close();
      await Promise.all([redis.stop(), broker.stop()]);
      await database.stop();
    },
  };
}

/** Passes connections to a port on to another port or socket of this machine, as they are. */
async function forwardPort(from: { host: string; port: number }, to: NetConnectOpts) {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    const target = connect(to);
    for (const [one, other] of [
      [client, target],
      [target, client],
    ] as const) {
      keep(one);
      one.pipe(other);
      one.once('error', () => other.destroy());
      one.once('close', () => other.destroy());
    }
  });
  server.listen(from);
  await once(server, 'listening');
  return {
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
