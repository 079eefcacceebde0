import { mongo } from 'mongoose';
import { z } from 'zod';

/** MongoDB's limit for the name of a database, in bytes. */
const maxNameBytes = 63;
/** The longest name of a database without a prefix, with some room. */
const maxPlainNameBytes = 32;
export const maxPrefixLength = maxNameBytes - maxPlainNameBytes;

/** The address of a MongoDB server. It may contain a password. */
export const mongoUriSetting = z.string().refine(isMongoUri, {
  error:
    'must start with mongodb:// or mongodb+srv:// and name a host, with user:password@ (percent-encoded) before it and only options of MongoDB after it',
});

/** The settings of a process that opens databases, without the address of the server. */
export const databaseSettings = {
  /** Starts the name of every database, so that several environments can share a server. */
  MONGODB_PREFIX: z
    .string()
    .regex(
      new RegExp(`^[a-z0-9][a-z0-9_-]{0,${maxPrefixLength - 1}}$`),
      `must be 1 to ${maxPrefixLength} lower-case letters, digits, _ or -, starting with a letter or a digit`,
    )
    .default(''),
};

/** The driver decides, which connects only later. */
function isMongoUri(text: string): boolean {
  try {
    new mongo.MongoClient(text);
    return true;
  } catch {
    return false;
  }
}

/** The name of a database on the server. An empty prefix changes nothing. */
export function databaseName(prefix: string, name: string): string {
  return prefix + name;
}
