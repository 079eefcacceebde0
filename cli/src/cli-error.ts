import type { ExitCode } from './exit-codes.ts';

/** A failure that ends the command with a sentence for the user. The sentence has no secrets. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}
