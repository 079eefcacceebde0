import { ObjectId } from '../semantics/bson.ts';
import { isDocument } from '../semantics/values.ts';

/** Deeper commands are encoded: no store sends them. */
const maxDepth = 20;
/** A read of more values is not short, and to look at them takes long. */
const maxValues = 1000;
const loneSurrogate = /\p{Surrogate}/u;

/**
 * Whether a command is the same after it was encoded as BSON and decoded, as on the wire. Others change: `undefined` becomes null, a
 * regular expression or bytes become classes of BSON.
 */
export function isPlain(command: unknown): boolean {
  let left = maxValues;

  function isPlainValue(value: unknown, depth: number): boolean {
    left -= 1;
    if (left < 0 || depth > maxDepth) return false;
    if (typeof value === 'string') return !loneSurrogate.test(value);
    if (typeof value === 'number' || typeof value === 'boolean') return true;
    if (typeof value !== 'object') return false;
    if (value === null || value instanceof ObjectId) return true;
    if (value instanceof Date) return !Number.isNaN(value.getTime());
    if ('toBSON' in value) return false;
    // From, because `every` passes over the holes of a list.
    if (Array.isArray(value)) return Array.from(value).every((item) => isPlainValue(item, depth + 1));
    if (!isDocument(value)) return false;
    return Object.entries(value).every(([name, item]) => isPlainName(name) && isPlainValue(item, depth + 1));
  }

  return isPlainValue(command, 0);
}

/** BSON refuses a zero in a name, and takes a document with the other one for a value of a type of its own. */
function isPlainName(name: string): boolean {
  return !name.includes('\0') && name !== '_bsontype' && !loneSurrogate.test(name);
}
