import { connect as connectTcp, isIP, Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import {
  type Admin,
  type Consumer,
  type EachBatchPayload,
  type ICustomPartitioner,
  type ISocketFactoryArgs,
  Kafka,
  type KafkaConfig,
  type KafkaMessage,
  logLevel,
  type Message,
  Partitioners,
  type Producer,
  type SASLOptions,
} from 'kafkajs';
import type { Logger } from '../../logger.ts';
import type { KafkaOptions } from '../kafka-settings.ts';

// The only file that imports kafkajs, which is not maintained any more. The way out is @platformatic/kafka, once the
// oldest supported Node.js is 22.
export type { Admin, Consumer, EachBatchPayload, KafkaMessage, Message, Producer };

const connectTimeoutMs = 2000;
/** A broker that answers later counts as lost. */
const requestTimeoutMs = 3000;
const keepAliveMs = 30_000;

export const sessionTimeoutMs = 10_000;
const heartbeatMs = 2000;

/**
 * A client with connections of its own, so that it can be abandoned: `destroy` fails everything that waits for an
 * answer. kafkajs itself waits for the answers of a broker that has stopped to answer.
 */
export type KafkaClient = { kafka: Kafka; destroy(): void };

export function createKafkaClient(options: KafkaOptions, logger: Logger): KafkaClient {
  const sockets = new Set<Socket>();
  let isDestroyed = false;
  const socketFactory = (args: ISocketFactoryArgs) => {
    // kafkajs connects again as long as something waits for an answer.
    if (isDestroyed) return new Socket().destroy(new Error('the connection was given up'));
    const socket = connect(args);
    socket.setKeepAlive(true, keepAliveMs);
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const config: KafkaConfig = {
    brokers: [...options.brokers],
    clientId: options.clientId,
    ssl: toSsl(options),
    connectionTimeout: connectTimeoutMs,
    authenticationTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    retry: { initialRetryTime: 100, multiplier: 2, factor: 0.2, maxRetryTime: 1000, retries: 4 },
    socketFactory,
    logLevel: logLevel.WARN,
    // The bus reports what matters itself, once per outage.
    logCreator:
      () =>
      ({ log }) =>
        logger.debug({ kafka: log }, log.message),
  };
  if (options.sasl) config.sasl = options.sasl as SASLOptions;
  return {
    kafka: new Kafka(config),
    destroy() {
      isDestroyed = true;
      for (const socket of sockets) socket.destroy(new Error('the connection was given up'));
    },
  };
}

function toSsl({ tls }: KafkaOptions): ConnectionOptions | false {
  if (!tls) return false;
  const { ca, cert, key } = tls;
  return { ca, cert, key };
}

function connect({ host, port, ssl, onConnect }: ISocketFactoryArgs): Socket {
  if (!ssl) return connectTcp({ host, port }, onConnect);
  // TLS allows no server name that is an address.
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({ host, port, ...servername, ...ssl }, onConnect);
}

/**
 * A producer whose every batch is acknowledged by all replicas, and that stores a batch once when kafkajs sends it again.
 * @param onPartition called with the partition of each message that is sent
 */
export function createProducer(
  { kafka }: KafkaClient,
  onPartition: (topic: string, partition: number) => void,
): Producer {
  const createPartitioner: ICustomPartitioner = () => {
    const partitionOf = Partitioners.DefaultPartitioner();
    return (args) => {
      const partition = partitionOf(args);
      onPartition(args.topic, partition);
      return partition;
    };
  };
  return kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner,
    retry: { retries: 4 },
  });
}

export function createConsumer({ kafka }: KafkaClient, groupId: string): Consumer {
  return kafka.consumer({
    groupId,
    sessionTimeout: sessionTimeoutMs,
    // Handlers that run when a rebalance begins may take as long.
    rebalanceTimeout: 30_000,
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: 1000,
    allowAutoTopicCreation: false,
    metadataMaxAge: 60_000,
    // The bus replaces a consumer that gave up, whatever the reason.
    retry: { retries: 4, restartOnFailure: async () => false },
  });
}
