import { renameSync, writeFileSync } from 'node:fs';
import { StartError } from '@shelfwise/runtime/process/start-error';

/** Writes a file whole: a reader sees the old contents or the new ones. @throws StartError when it cannot be written */
export function replaceFile(path: string, contents: string): void {
  const partial = `${path}.partial`;
  explainFileError(path, 'written', () => {
    writeFileSync(partial, contents);
    renameSync(partial, path);
  });
}

/** Runs `work`, and turns its failure into a sentence about the file. @throws StartError */
export function explainFileError<Result>(path: string, verb: 'read' | 'written', work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    throw new StartError(`${path} cannot be ${verb}: ${(cause as Error).message}.`, { cause });
  }
}
