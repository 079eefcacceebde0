/** The message limit between services. The largest reply, 1,000 items with long texts, fits. */
export const maxMessageBytes = 32 * 1024 * 1024;

/** @throws Error when the message is over the limit */
export function checkMessageSize(message: Buffer): Buffer {
  if (message.byteLength > maxMessageBytes)
    throw new Error(`the message has ${message.byteLength} bytes, over the limit of ${maxMessageBytes}`);
  return message;
}
