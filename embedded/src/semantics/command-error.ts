import type { Doc } from './bson.ts';

/** A refused command, with MongoDB's code and codeName. Every other error is an internal failure. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: number;
  readonly codeName: string;
  /** Additional fields of the reply, such as `keyPattern` of a duplicate key error. */
  readonly fields: Doc;

  constructor(code: number, codeName: string, message: string, fields: Doc = {}) {
    super(message);
    this.code = code;
    this.codeName = codeName;
    this.fields = fields;
  }
}

/** For MongoDB features that this engine refuses by name instead of ignoring them. */
export function unsupported(thing: string): CommandError {
  return new CommandError(238, 'NotImplemented', `the embedded database does not support ${thing}`);
}

export function badValue(message: string): CommandError {
  return new CommandError(2, 'BadValue', message);
}

export function typeMismatch(message: string): CommandError {
  return new CommandError(14, 'TypeMismatch', message);
}
