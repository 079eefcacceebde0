import type { Doc } from '../semantics/bson.ts';

/** The way from a client to the engine within a process, without a socket. */
export type Link = {
  /** False once the engine ends. */
  isOpen(): boolean;
  /**
   * Answers a short read in this thread. The reply has the documents of its cursor as a `Batch`; each belongs to the caller.
   * Absent: all commands are sent.
   * @param command a read that is the same on the wire (`isPlain`)
   * @returns undefined when the command has to be sent
   * @throws LinkClosed when the engine has ended
   */
  read?: (command: Doc) => Doc | undefined;
  /**
   * Answers a message (OP_MSG) with an encoded reply.
   * @param client what sends the message: its cursors close with it
   * @param isTried `read` has left the command to this
   * @throws LinkClosed when the engine has ended
   */
  send(message: Buffer, client: object, isTried?: boolean): Promise<Buffer>;
  /** Closes the cursors of a client. */
  closeClient(client: object): void;
};

export class LinkClosed extends Error {
  override readonly name = 'LinkClosed';

  constructor() {
    super('the embedded database is closed');
  }
}
