import { connect as connectTcp, isIP, Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import {
  type Admin,
  type Cluster,
  type Consumer,
  type EachBatchPayload,
  type ICustomPartitioner,
  type ISocketFactoryArgs,
  Kafka,
  type KafkaConfig,
  type KafkaMessage,
  logLevel,
  type Message,
  type PartitionAssigner,
  PartitionAssigners,
  Partitioners,
  type Producer,
  type SASLOptions,
} from 'kafkajs';
import type { Logger } from '../../log/logger.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import { quietRequestQueues } from './quiet-request-queues.ts';

// With `quiet-request-queues.ts` the only file that imports kafkajs, which is not maintained any more. The way out is @platformatic/kafka, once the
// oldest supported Node.js is 22.
export type { Admin, Consumer, EachBatchPayload, KafkaMessage, Message, Producer };

quietRequestQueues();

const connectTimeoutMs = 2000;
/** A broker that answers later counts as lost. */
const requestTimeoutMs = 3000;
const keepAliveMs = 30_000;

export const sessionTimeoutMs = 10_000;
/** How long a rebalance waits for handlers that run when it begins. */
const rebalanceTimeoutMs = 60_000;
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

/** Whether a broker refuses a batch for its size. Sent again, it would be refused again. */
export function isTooLarge(error: unknown): boolean {
  const type = typeOf(error);
  return type === 'MESSAGE_TOO_LARGE' || type === 'RECORD_LIST_TOO_LARGE';
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

export type GroupMember = {
  consumer: Consumer;
  /**
   * Takes another member out of the group, once the consumer is connected. Of one whose connection was lost, the group
   * would otherwise wait for the session to end.
   */
  remove(memberId: string): Promise<void>;
};

/** An answer to a fetch waits as long as there is less; some hundred events have so much. */
const gatheredBytes = 256 * 1024;

/** @param gathers whether events may wait for others until there are many, for `maxWaitTimeInMs` at most */
export function createGroupMember(
  { kafka }: KafkaClient,
  groupId: string,
  { gathers = false }: { gathers?: boolean } = {},
): GroupMember {
  // kafkajs tells only assigners what they need to reach the coordinator.
  let cluster: Cluster | undefined;
  const assigner: PartitionAssigner = (config) => {
    cluster = config.cluster;
    return PartitionAssigners.roundRobin(config);
  };
  const consumer = kafka.consumer({
    groupId,
    partitionAssigners: [assigner],
    sessionTimeout: sessionTimeoutMs,
    rebalanceTimeout: rebalanceTimeoutMs,
    heartbeatInterval: heartbeatMs,
    maxWaitTimeInMs: 1000,
    minBytes: gathers ? gatheredBytes : 1,
    allowAutoTopicCreation: false,
    metadataMaxAge: 60_000,
    // The bus replaces a consumer that gave up, whatever the reason.
    retry: { retries: 4, restartOnFailure: async () => false },
  });
  return {
    consumer,
    async remove(memberId) {
      const coordinator = (await cluster?.findGroupCoordinator({ groupId })) as Coordinator | undefined;
      await coordinator?.leaveGroup({ groupId, memberId }).catch((error: unknown) => {
        if (typeOf(error) !== 'UNKNOWN_MEMBER_ID') throw error;
      });
    },
  };
}

/** kafkajs has the call, but its types do not. */
type Coordinator = { leaveGroup(member: { groupId: string; memberId: string }): Promise<unknown> };

/** Whether the group waits for its members to join again. */
export function isRebalance(error: unknown): boolean {
  return typeOf(error) === 'REBALANCE_IN_PROGRESS';
}

/** Whether the ACLs of the brokers do not allow this process what it asked of a topic. */
export function isForbidden(error: unknown): boolean {
  return typeOf(error) === 'TOPIC_AUTHORIZATION_FAILED';
}

/** Node.js cannot import the error classes of kafkajs, a CommonJS module, by name. */
function typeOf(error: unknown): unknown {
  return error instanceof Error && 'type' in error ? error.type : undefined;
}

/** Where a message was read: the topic, as the events name it, and the partition. */
export type TopicPartition = { topic: string; partition: number };
