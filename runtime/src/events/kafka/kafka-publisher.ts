import { sleep } from '../../concurrency/sleep.ts';
import { within } from '../../concurrency/within.ts';
import { type RetryDelays, retryDelayMs } from '../../jobs/retry-delay.ts';
import type { Logger } from '../../log/logger.ts';
import type { KafkaOptions } from '../kafka-settings.ts';
import {
  createKafkaClient,
  createProducer,
  isTooLarge,
  type KafkaClient,
  type Message,
  type Producer,
} from './kafka-client.ts';

const connectWithinMs = 5000;
/** Short: a process that stops publishes what waits, and must end within ten seconds, also when the broker is frozen. */
const sendWithinMs = 3500;
const checkEveryMs = 3000;
const checkWithinMs = 2500;
const readyWithinMs = 10_000;
const reconnectDelays: RetryDelays = { firstMs: 250, longestMs: 2000 };
/** All messages of a partition in one request are one batch for the broker, whose size is limited. */
const bytesPerRequest = 512 * 1024;

export type TopicMessage = { topic: string; message: Message };

export type KafkaPublisher = {
  /**
   * Resolves once all replicas have the messages. A message of a key is stored after those that were sent before. When
   * it rejects, some messages may be stored, and the calls that wait behind it reject, too.
   * @throws MessagesRefusedError when only these messages are not stored, and never will be
   */
  send(messages: readonly TopicMessage[]): Promise<void>;
  /** Why nothing can be sent now; null when it can. */
  problem(): unknown;
  /** Resolves when something can be sent. Rejects after ten seconds of attempts, with the reason of the last one. */
  ready(): Promise<void>;
  stop(): Promise<void>;
};

/** The brokers refuse these messages for their size. */
export class MessagesRefusedError extends Error {
  override readonly name = 'MessagesRefusedError';
  readonly messages: readonly TopicMessage[];

  constructor(messages: readonly TopicMessage[], cause: unknown) {
    super('a message is larger than its topic allows', { cause });
    this.messages = messages;
  }
}

type KafkaFactories = {
  createKafkaClient: typeof createKafkaClient;
  createProducer: typeof createProducer;
};

type Connected = {
  client: KafkaClient;
  producer: Producer;
  /**
   * The partitions of its running request, as `topic partition`. Each producer has its own, because one that was replaced
   * still tries its last request again for a while.
   */
  partitions: Set<string>;
};

/**
 * Publishes through one producer at a time. The producer is replaced after a failure, in the background, and until then
 * every call fails at once. It must be replaced: kafkajs would number the next batch like the failed one, and a broker
 * that has stored the failed batch after all would take the next one for its repetition, and drop it.
 */
export function createKafkaPublisher(
  options: KafkaOptions,
  logger: Logger,
  kafka: KafkaFactories = { createKafkaClient, createProducer },
): KafkaPublisher {
  const stopping = new AbortController();
  let connected: Connected | null = null;
  let problem: unknown = new Error('not connected yet');
  let isReported = false;
  let failures = 0;
  let last: Promise<void> = Promise.resolve();
  let connecting = keepConnecting();

  async function keepConnecting(): Promise<void> {
    for (let attempt = 1; !stopping.signal.aborted; attempt++) {
      const client = kafka.createKafkaClient(options, logger);
      try {
        const partitions = new Set<string>();
        const producer = kafka.createProducer(client, (topic, partition) =>
          partitions.add(`${topic} ${partition}`),
        );
        // An idempotent producer asks for its id, so a peer that accepts connections and never answers is not ready.
        await within(connectWithinMs, 'connecting to the brokers', producer.connect(), stopping.signal);
        const current = { client, producer, partitions };
        connected = current;
        problem = null;
        void watch(current);
        if (isReported) logger.info('the event brokers answer again');
        isReported = false;
        return;
      } catch (error) {
        client.destroy();
        if (!stopping.signal.aborted) report(error);
      }
      await sleep(retryDelayMs(attempt, Math.random, reconnectDelays), stopping.signal);
    }
  }

  /** Notices a broker that stops to answer while nothing is sent. */
  async function watch(current: Connected): Promise<void> {
    const admin = current.client.kafka.admin();
    try {
      await within(checkWithinMs, 'connecting to the brokers', admin.connect(), stopping.signal);
      while (connected === current && !stopping.signal.aborted) {
        await within(checkWithinMs, 'a check of the brokers', admin.describeCluster(), stopping.signal);
        await sleep(checkEveryMs, stopping.signal);
      }
    } catch (error) {
      lose(current, error);
    } finally {
      void admin.disconnect().catch(() => {});
    }
  }

  function lose(current: Connected, error: unknown): void {
    if (connected !== current) return;
    if (!stopping.signal.aborted) report(error);
    replace(current);
  }

  function replace(current: Connected): void {
    failures++;
    connected = null;
    current.client.destroy();
    if (!stopping.signal.aborted) connecting = keepConnecting();
  }

  function report(error: unknown): void {
    problem = error;
    if (!isReported) logger.warn({ err: error }, 'the event brokers cannot be reached; events wait');
    isReported = true;
  }

  async function sendAll(messages: readonly TopicMessage[]): Promise<void> {
    const refused: TopicMessage[] = [];
    let reason: unknown;
    const onRefused = (message: TopicMessage, error: unknown) => {
      refused.push(message);
      reason = error;
    };
    for (const request of splitBySize(messages)) await sendOrSplit(request, onRefused);
    if (refused.length > 0) throw new MessagesRefusedError(refused, reason);
  }

  /** Sends a request. When it is too large for a broker, its messages are sent one by one. */
  async function sendOrSplit(
    request: readonly TopicMessage[],
    onRefused: (message: TopicMessage, error: unknown) => void,
  ): Promise<void> {
    if (!connected) throw new Error('the event brokers cannot be reached', { cause: problem });
    const current = connected;
    try {
      await within(sendWithinMs, 'publishing', sendRequest(current, request));
    } catch (error) {
      if (!isTooLarge(error)) {
        lose(current, error);
        throw error;
      }
      const [message] = request;
      // Nothing is stored, so the numbers of the producer still fit.
      if (message && request.length === 1) return onRefused(message, error);
      logger.warn({ messages: request.length }, 'a topic allows only small batches; sending one by one');
      replace(current);
      await within(sendWithinMs, 'connecting to the brokers', connecting);
      for (const one of request) await sendOrSplit([one], onRefused);
    }
  }

  async function sendRequest(
    { producer, partitions }: Connected,
    request: readonly TopicMessage[],
  ): Promise<void> {
    partitions.clear();
    const byTopic = new Map<string, Message[]>();
    for (const { topic, message } of request) byTopic.set(topic, [...(byTopic.get(topic) ?? []), message]);
    const stored = await producer.sendBatch({
      acks: -1,
      timeout: sendWithinMs,
      topicMessages: [...byTopic].map(([topic, messages]) => ({ topic, messages })),
    });
    // kafkajs forgets a partition whose leader moves, during its retries, to a broker that has answered already.
    for (const { topicName, partition } of stored) partitions.delete(`${topicName} ${partition}`);
    if (partitions.size > 0) throw new Error(`not acknowledged: ${[...partitions].join(', ')}`);
  }

  return {
    send(messages) {
      const failuresBefore = failures;
      const sent = last.then(() => {
        // Otherwise a later event of a key could be stored before an earlier one is published again.
        if (failures !== failuresBefore) throw new Error('an earlier batch was not published');
        return sendAll(messages);
      });
      last = sent.catch(() => {});
      return sent;
    },
    problem: () => problem,
    async ready() {
      await within(readyWithinMs, 'connecting to the brokers', connecting).catch(() => {});
      if (problem !== null) throw problem;
    },
    async stop() {
      stopping.abort();
      await last;
      await connecting;
      if (!connected) return;
      const { client, producer } = connected;
      await within(1000, 'disconnecting', producer.disconnect()).catch(() => {});
      client.destroy();
    },
  };
}

function* splitBySize(messages: readonly TopicMessage[]): Generator<TopicMessage[]> {
  let request: TopicMessage[] = [];
  let bytes = 0;
  for (const one of messages) {
    const size = sizeOf(one.message);
    if (request.length > 0 && bytes + size > bytesPerRequest) {
      yield request;
      request = [];
      bytes = 0;
    }
    request.push(one);
    bytes += size;
  }
  if (request.length > 0) yield request;
}

function sizeOf({ key, value, headers = {} }: Message): number {
  const texts = [key, value, ...Object.entries(headers).flat()];
  return texts.reduce<number>((sum, text) => sum + (text?.length ?? 0), 0);
}
