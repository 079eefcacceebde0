import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEngine } from '@shelfwise/embedded/start-engine';
import { createKafkaClient } from '@shelfwise/runtime/events/kafka/kafka-client';
import { kafkaSettings, readKafkaOptions } from '@shelfwise/runtime/events/kafka-settings';
import { openEventBus } from '@shelfwise/runtime/events/open-event-bus';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { createMetrics } from '@shelfwise/runtime/metrics/metrics';
import { databaseSettings } from '@shelfwise/runtime/mongo/database-settings';
import { readConfig } from '@shelfwise/runtime/process/config';
import mongoose from 'mongoose';
import { z } from 'zod';
import { createCertificates, createKeystore } from './lib/certificates.ts';
import { readOptions } from './lib/options.ts';
import { startBroker } from './lib/own-broker.ts';
import { temporaryFolder } from './lib/temporary-folder.ts';

readOptions(
  'npm run kafka-tls',
  `The event bus on a broker with TLS and passwords, and with the ACLs of docs/operations.md. Starts a broker of its own on KAFKA_PORT
(default 19092) and the three ports after it. Ends with 1 when something that must work fails, or the other way around.`,
  {},
);
const port = Number(process.env.KAFKA_PORT ?? 19092);
const dir = temporaryFolder('kafka-tls');
const file = (name: string) => join(dir, name);
createCertificates(dir, 'broker', '127.0.0.1');
createCertificates(dir, 'client', '127.0.0.1');
// Signed by an authority of another name.
mkdirSync(file('other'));
const authority = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=other'];
execFileSync('openssl', [...authority, '-keyout', 'ca.key', '-out', 'ca.crt'], {
  cwd: file('other'),
  stdio: 'ignore',
});
createCertificates(file('other'), 'stranger', '127.0.0.1');

const login = 'org.apache.kafka.common.security';
const broker = await startBroker(
  port,
  [
    `listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${port + 1},SASL://127.0.0.1:${port + 2},MUTUAL://127.0.0.1:${port + 3}`,
    `advertised.listeners=PLAINTEXT://127.0.0.1:${port},SASL://127.0.0.1:${port + 2},MUTUAL://127.0.0.1:${port + 3}`,
    'listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL:SASL_SSL,MUTUAL:SSL',
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${createKeystore(file('broker'))}`,
    'ssl.truststore.type=PEM',
    `ssl.truststore.location=${file('ca.crt')}`,
    'listener.name.mutual.ssl.client.auth=required',
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    `listener.name.sasl.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_shelfwise="secret";`,
    `listener.name.sasl.scram-sha-256.sasl.jaas.config=${login}.scram.ScramLoginModule required;`,
    `listener.name.sasl.scram-sha-512.sasl.jaas.config=${login}.scram.ScramLoginModule required;`,
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users=User:ANONYMOUS',
    '',
  ].join('\n'),
);
const engine = await startEngine({ dataDir: file('data') });
const connection = await mongoose.createConnection(engine.mongodbUri, { dbName: 'tls' }).asPromise();
const logger = createLogger({ name: 'tls', level: 'silent', destination: process.stderr });
const schema = z.object({ ...kafkaSettings, ...databaseSettings });
const parse = (settings: Record<string, string>) =>
  readConfig(schema, { ...settings, KAFKA_TOPIC_PREFIX: 'tls.' });

/** The numbers of Kafka's protocol. */
const acl = {
  resource: { topic: 2, group: 3 },
  prefixed: 4,
  allow: 3,
  operation: { read: 3, write: 4, create: 5, delete: 6, describe: 8 },
} as const;

/** Allows what docs/operations.md names, and nothing else. */
async function allowOnPrefix(principal: string): Promise<void> {
  const options = readKafkaOptions(parse({ KAFKA_BROKERS: broker.address }), 'tls');
  if (!options) throw new Error('no brokers');
  const client = createKafkaClient(options, logger);
  const admin = client.kafka.admin();
  const { read, write, create, delete: remove, describe } = acl.operation;
  const allowed = [
    { resourceType: acl.resource.topic, operations: [describe, read, write, create] },
    { resourceType: acl.resource.group, operations: [read, describe, remove] },
  ];
  await admin.connect();
  await admin.createAcls({
    acl: allowed.flatMap(({ resourceType, operations }) =>
      operations.map((operation) => ({
        resourceType,
        resourceName: 'tls.',
        resourcePatternType: acl.prefixed,
        principal,
        host: '*',
        operation,
        permissionType: acl.allow,
      })),
    ),
  });
  await admin.disconnect();
  client.destroy();
}

/** A way out for what never comes; far longer than a busy machine needs. */
const mostAttempts = 300;

/**
 * Null when an event arrived, or why not. The first call creates the topics, which the others find.
 * @param refusal tries no more when this is the reason
 */
async function tryToPublish(
  settings: Record<string, string>,
  refusal: RegExp | null,
): Promise<string | null> {
  const bus = await openEventBus(parse(settings), {
    clientId: 'tls',
    connection,
    logger,
    metrics: createMetrics(),
    now: () => new Date(),
  });
  if (!bus) throw new Error('no bus');
  try {
    let received = false;
    const id = String(Date.now());
    await bus.subscribe({
      group: 'g',
      topics: ['things.made.v1'],
      onEvent: async (event) => {
        received ||= event.id === id;
      },
    });
    const event = {
      id,
      topic: 'things.made.v1',
      key: 'k',
      payload: new Uint8Array([1]),
      at: new Date(),
    };
    const readReason = async () => (await bus.status?.())?.detail ?? 'nothing arrived';
    for (let isPublished = false, attempts = 0; attempts < mostAttempts && !received; attempts++) {
      if (refusal?.test(await readReason())) break;
      if (!isPublished)
        isPublished = await bus.publish([event]).then(
          () => true,
          () => false,
        );
      await sleep(200);
    }
    return received ? null : await readReason();
  } finally {
    await bus.stop();
  }
}

const tls = { KAFKA_TLS: 'true', KAFKA_TLS_CA: file('ca.crt') };
const sasl = (mechanism: string, password = 'secret') => ({
  ...tls,
  KAFKA_BROKERS: `127.0.0.1:${port + 2}`,
  KAFKA_SASL_MECHANISM: mechanism,
  KAFKA_SASL_USERNAME: 'shelfwise',
  KAFKA_SASL_PASSWORD: password,
});
/** `name`: a folder with a key and a certificate. */
const mutual = (name: string) => ({
  ...tls,
  KAFKA_BROKERS: `127.0.0.1:${port + 3}`,
  KAFKA_TLS_CERT: file(`${name}/tls.crt`),
  KAFKA_TLS_KEY: file(`${name}/tls.key`),
});
/** `refusal`: what the reason must say; null when an event must arrive. */
const cases: [name: string, settings: Record<string, string>, refusal: RegExp | null][] = [
  ['SASL plain over TLS', sasl('plain'), null],
  ['SASL scram-sha-256 over TLS', sasl('scram-sha-256'), null],
  ['SASL scram-sha-512 over TLS', sasl('scram-sha-512'), null],
  ['a wrong password', sasl('scram-sha-512', 'wrong'), /authentication failed/],
  ['a broker of another authority', { ...sasl('plain'), KAFKA_TLS_CA: file('other/ca.crt') }, /certificate/],
  ['a client certificate', mutual('client'), null],
  [
    'no client certificate',
    { ...tls, KAFKA_BROKERS: `127.0.0.1:${port + 3}` },
    /bad certificate|certificate required/,
  ],
  ['a client certificate of another authority', mutual('other/stranger'), /certificate unknown|unknown ca/],
];

let isAsExpected = true;
try {
  for (const mechanism of ['SCRAM-SHA-256', 'SCRAM-SHA-512'])
    await broker.runTool('kafka.admin.ConfigCommand', [
      ...['--bootstrap-server', broker.address, '--alter', '--add-config', `${mechanism}=[password=secret]`],
      ...['--entity-type', 'users', '--entity-name', 'shelfwise'],
    ]);
  for (const principal of ['User:shelfwise', 'User:CN=client']) await allowOnPrefix(principal);
  for (const [name, settings, refusal] of cases) {
    const problem = await tryToPublish(settings, refusal);
    const isRight = problem === null ? refusal === null : (refusal?.test(problem) ?? false);
    if (!isRight) isAsExpected = false;
    console.log(`${isRight ? 'ok    ' : 'WRONG '} ${name}: ${problem?.trim() ?? 'an event arrived'}`);
  }
} finally {
  await connection.close();
  await engine.stop();
  await broker.stop();
}
process.exit(isAsExpected ? 0 : 1);
