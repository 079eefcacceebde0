/** The way from a client to the engine within a process, without a socket. */
export type Link = {
  /** False once the engine ends. */
  isOpen(): boolean;
  /**
   * Answers a message (OP_MSG) with an encoded reply.
   * @param client what sends the message: its cursors close with it
   * @throws LinkClosed when the engine has ended
   */
  send(message: Buffer, client: object): Promise<Buffer>;
  /** Closes the cursors of a client. */
  closeClient(client: object): void;
};

export class LinkClosed extends Error {
  override readonly name = 'LinkClosed';

  constructor() {
    super('the embedded database is closed');
  }
}
