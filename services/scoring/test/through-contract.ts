type Contract<Message> = {
  encode(message: Message): { finish(): Uint8Array };
  decode(bytes: Uint8Array): Message;
};

/** Encodes and decodes a message, as between processes. */
export function throughContract<Message>(contract: Contract<Message>, message: Message): Message {
  return contract.decode(contract.encode(message).finish());
}
