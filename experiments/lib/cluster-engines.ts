import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { startRedisServer } from '../../testing/redis-servers.ts';
import { forwardPort } from './forward-port.ts';
import { hostAddress } from './kubernetes.ts';
import { startBroker } from './own-broker.ts';

const kafkaPort = Number(process.env.KAFKA_PORT ?? 19092) + 30;
const ports = { mongodb: 27017, redis: 6379, kafka: 9092 };
const password = 'pass/word@1';

/**
 * Engines on this machine that pods reach as host.internal: Redis and Kafka with TLS and passwords, and the embedded database, which
 * has neither.
 */
export async function startClusterEngines(dir: string) {
  createCertificates(dir, 'engines', 'host.internal', '127.0.0.1');
  const folder = join(dir, 'engines');
  const authority = readFileSync(join(folder, 'ca.crt'), 'utf8');
  const files = ['tls.key', 'tls.crt', 'ca.crt'].map((name) => readFileSync(join(folder, name), 'utf8'));
  // Kafka takes keys in the format PKCS #8 only.
  files[0] = execFileSync('openssl', ['pkcs8', '-topk8', '-nocrypt', '-in', join(folder, 'tls.key')], {
    encoding: 'utf8',
  });
  writeFileSync(join(folder, 'broker.pem'), files.join(''), { mode: 0o600 });

  const database = await startEngine({ dataDir: join(dir, 'database') });
  const redis = await startRedisServer(['--requirepass', password, '--tls-auth-clients', 'no'], folder);
  const saslPort = kafkaPort + 2;
  const broker = await startBroker(
    kafkaPort,
    [
      `listeners=PLAINTEXT://127.0.0.1:${kafkaPort},CONTROLLER://127.0.0.1:${kafkaPort + 1},SASL://127.0.0.1:${saslPort}`,
      `advertised.listeners=PLAINTEXT://127.0.0.1:${kafkaPort},SASL://host.internal:${ports.kafka}`,
      'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_SSL',
      'ssl.keystore.type=PEM',
      `ssl.keystore.location=${join(folder, 'broker.pem')}`,
      'sasl.enabled.mechanisms=PLAIN',
      `listener.name.sasl.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required user_shelfwise="${password}";`,
      '',
    ].join('\n'),
  );
  const socketPath = decodeURIComponent(database.mongodbUri.replace('mongodb://', ''));
  const forwards = await Promise.all([
    forwardPort({ host: hostAddress, port: ports.mongodb }, { path: socketPath }),
    forwardPort({ host: hostAddress, port: ports.redis }, { port: redis.port, host: '127.0.0.1' }),
    forwardPort({ host: hostAddress, port: ports.kafka }, { port: saslPort, host: '127.0.0.1' }),
  ]);
  return {
    /** The database, for this machine. */
    mongodbUri: database.mongodbUri,
    /** Those with a process of their own; the database has none. */
    pids: { redis: redis.pid(), kafka: broker.pid() },
    /** The secrets that the values name. */
    secrets: {
      'shelfwise-mongodb': { uri: `mongodb://host.internal:${ports.mongodb}/?directConnection=true` },
      'shelfwise-redis': {
        url: `rediss://:${encodeURIComponent(password)}@host.internal:${ports.redis}`,
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

/** A folder with ca.crt, tls.crt and tls.key for these hosts, of an authority that all folders share. */
export function createCertificates(dir: string, name: string, ...hosts: string[]): void {
  const script = new URL('../../deploy/tls/create-certificates.sh', import.meta.url).pathname;
  execFileSync('bash', [script, dir, `${name}=${hosts.join(',')}`], { stdio: 'ignore' });
}
