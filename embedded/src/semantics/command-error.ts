import type { Doc } from './bson.ts';

/** An answer "no" to a command, with MongoDB's code and name for it; whatever else is thrown is a fault of ours. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: number;
  readonly codeName: string;
  /** Further fields of the answer, such as `keyPattern` of a duplicate. */
  readonly fields: Doc;

  constructor(code: number, codeName: string, message: string, fields: Doc = {}) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.fields = fields;
  }
}

/** What MongoDB can do and we do not: refused by name, never ignored. */
export function unsupported(thing: string): CommandError {
  return new CommandError(238, 'NotImplemented', `the embedded database does not support ${thing}`);
}

export function badValue(message: string): CommandError {
  return new CommandError(2, 'BadValue', message);
}

export function typeMismatch(message: string): CommandError {
  return new CommandError(14, 'TypeMismatch', message);
}
