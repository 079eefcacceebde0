import type { EventRecord } from '../event-bus.ts';
import { toMessage } from './event-message.ts';
import type { KafkaMessage } from './kafka-client.ts';
import { type DeadLetter, fromDeadLetterMessage } from './kafka-dead-letters.ts';
import type { KafkaNames } from './kafka-names.ts';
import type { TopicMessage } from './kafka-publisher.ts';

/** The most dead letters in memory with their payloads. */
const lettersPerPass = 1000;

/** A dead letter without its content: one event, which has a message for each time that it failed. */
export type LetterEntry = { group: string; id: string; failedAt: Date; keys: ReadonlySet<string> };

/** The dead letters of a group in their compacted topic. A list keeps only the entries in memory. */
export function createDeadLetterLog(deps: {
  group: string;
  names: KafkaNames;
  /** Reads every message of the topic of dead letters, in order. */
  read(onMessage: (message: KafkaMessage) => void): Promise<void>;
  send(messages: readonly TopicMessage[]): Promise<void>;
}) {
  const { group, names, read, send } = deps;

  async function list(): Promise<LetterEntry[]> {
    const idOfKey = new Map<string, string>();
    const entries = new Map<string, LetterEntry & { keys: Set<string> }>();
    await read((message) => {
      const key = message.key?.toString() ?? '';
      const letter = fromDeadLetterMessage(message);
      if (letter) {
        const { id, failedAt } = letter;
        const keys = entries.get(id)?.keys ?? new Set();
        entries.set(id, { group, id, failedAt, keys: keys.add(key) });
        idOfKey.set(key, id);
        return;
      }
      const entry = entries.get(idOfKey.get(key) ?? '');
      entry?.keys.delete(key);
      if (entry?.keys.size === 0) entries.delete(entry.id);
    });
    return [...entries.values()];
  }

  async function load(entries: readonly LetterEntry[]): Promise<DeadLetter[]> {
    const ids = new Set(entries.map(({ id }) => id));
    const letters = new Map<string, DeadLetter>();
    await read((message) => {
      const letter = fromDeadLetterMessage(message);
      if (letter && ids.has(letter.id)) letters.set(letter.id, letter);
    });
    return entries.flatMap(({ id }) => letters.get(id) ?? []);
  }

  /** Publishes the events again, then removes their letters. Returns how many. */
  async function replay(entries: readonly LetterEntry[]): Promise<number> {
    let replayed = 0;
    for (let start = 0; start < entries.length; start += lettersPerPass) {
      const pass = entries.slice(start, start + lettersPerPass);
      const letters = await load(pass);
      await send(
        letters.map((letter) => ({
          topic: names.topic(letter.topic),
          message: toMessage(toEvent(letter), group),
        })),
      );
      await discard(pass);
      replayed += letters.length;
    }
    return replayed;
  }

  /** Removes the letters of these entries. Returns how many. */
  async function discard(entries: readonly LetterEntry[]): Promise<number> {
    const keys = entries.flatMap((entry) => [...entry.keys]);
    await send(keys.map((key) => ({ topic: names.deadLetters(group), message: { key, value: null } })));
    return entries.length;
  }

  return { list, load, replay, discard };
}

function toEvent(letter: DeadLetter): EventRecord {
  const { id, topic, key, payload, at, failedAt, requestId, traceparent } = letter;
  const event: EventRecord = { id, topic, key, payload, at: at ?? failedAt };
  if (requestId !== null) event.requestId = requestId;
  if (traceparent !== null) event.traceparent = traceparent;
  return event;
}
