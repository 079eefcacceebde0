/** An event that a group could not handle, for operators. */
export type DeadLetterRow = {
  group: string;
  id: string;
  topic: string;
  key: string;
  /** The first line of the error. */
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

/** What operators see and change of the events of an engine. */
export type EventAdmin = {
  /** At most `limit` of the oldest ones, and how many there are. */
  listDeadLetters(group: string | null, limit: number): Promise<{ rows: DeadLetterRow[]; total: number }>;
  /**
   * Publishes dead letters again, for their group only, and removes them. Returns how many. After a crash it can be
   * repeated: a group drops an event that it has applied.
   */
  replayDeadLetters(selection: DeadLetterSelection): Promise<number>;
  readLag(): Promise<LagRow[]>;
};

/** A command of `npm run events`. */
export type EventsCommand =
  | { name: 'list'; group: string | null; limit: number }
  | { name: 'replay'; group: string | null; ids: string[] | null }
  | { name: 'lag' };

export type EventsResult =
  | { dead_letters: DeadLetterRow[]; total: number }
  | { replayed: number }
  | { lag: LagRow[] };

export async function executeEventsCommand(command: EventsCommand, admin: EventAdmin): Promise<EventsResult> {
  if (command.name === 'lag') return { lag: await admin.readLag() };
  if (command.name === 'replay') return { replayed: await admin.replayDeadLetters(command) };
  const { rows, total } = await admin.listDeadLetters(command.group, command.limit);
  return { dead_letters: rows, total };
}
