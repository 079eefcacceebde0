/** The most characters of an error in a list. */
const longestError = 300;

/** An event that a group could not handle, for operators. */
export type DeadLetterRow = {
  group: string;
  id: string;
  topic: string;
  key: string;
  /** The first line of the error, at most 300 characters. */
  error: string;
  attempts: number;
  /** ISO time */
  failed_at: string;
};

/** How far a group is behind on a topic. */
export type LagRow = {
  group: string;
  topic: string;
  /** Events that the group has not handled yet. */
  lag: number;
  /** Processes that consume as this group; null when the engine does not know. */
  members: number | null;
};

/** Which dead letters a command means. */
export type DeadLetterSelection = {
  /** Null: all groups. */
  group: string | null;
  /** Null: all of them. */
  ids: readonly string[] | null;
};

/** Which dead letters a list shows. */
export type DeadLetterQuery = {
  /** Null: all groups. */
  group: string | null;
  limit: number;
  /** `next` of the page before; null: from the first one on. */
  after: string | null;
};

/** `total` counts the letters of all pages. `next` is null on the last page. */
export type DeadLetterPage = { rows: DeadLetterRow[]; total: number; next: string | null };

/** What operators see and change of the events of an engine. */
export type EventAdmin = {
  /** The oldest ones first. */
  listDeadLetters(query: DeadLetterQuery): Promise<DeadLetterPage>;
  /**
   * Publishes dead letters again, for their group only, and removes them. Returns how many. After a crash it can be
   * repeated: a group drops an event that it has applied.
   */
  replayDeadLetters(selection: DeadLetterSelection): Promise<number>;
  /** Removes dead letters for good: their events are never applied. Returns how many. */
  discardDeadLetters(selection: DeadLetterSelection): Promise<number>;
  readLag(): Promise<LagRow[]>;
};

/** A command of `npm run events`. */
export type EventsCommand =
  | ({ name: 'list' } & DeadLetterQuery)
  | { name: 'replay'; group: string | null; ids: string[] | null }
  | { name: 'discard'; group: string | null; ids: string[] }
  | { name: 'lag' };

export type EventsResult =
  | { dead_letters: DeadLetterRow[]; total: number; next: string | null }
  | { replayed: number }
  | { discarded: number }
  | { lag: LagRow[] };

export async function executeEventsCommand(command: EventsCommand, admin: EventAdmin): Promise<EventsResult> {
  if (command.name === 'lag') return { lag: await admin.readLag() };
  if (command.name === 'replay') return { replayed: await admin.replayDeadLetters(command) };
  if (command.name === 'discard') return { discarded: await admin.discardDeadLetters(command) };
  const { rows, total, next } = await admin.listDeadLetters(command);
  return { dead_letters: rows, total, next };
}

export type DeadLetterCursor = { failedAt: Date; group: string; id: string };

/** The texts are in the order of the list. */
export function formatCursor({ failedAt, group, id }: DeadLetterCursor): string {
  return `${failedAt.toISOString()}/${group}:${id}`;
}

/** Null when the text is no cursor. */
export function parseCursor(text: string): DeadLetterCursor | null {
  const [, time = '', group = '', id = ''] = /^(.{24})\/([^:]+):(.+)$/.exec(text) ?? [];
  const failedAt = new Date(time);
  return Number.isNaN(failedAt.getTime()) ? null : { failedAt, group, id };
}

export function toDeadLetterRow(letter: {
  group: string;
  id: string;
  topic: string;
  key: string;
  error: string;
  attempts: number;
  failedAt: Date;
}): DeadLetterRow {
  const { group, id, topic, key, error, attempts, failedAt } = letter;
  const [firstLine = ''] = error.split('\n');
  return {
    group,
    id,
    topic,
    key,
    error: firstLine.slice(0, longestError),
    attempts,
    failed_at: failedAt.toISOString(),
  };
}
