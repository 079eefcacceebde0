import { pino } from 'pino';

const maxCauses = 5;
/** The errors of the driver and of mongoose, whose texts and fields hold values of documents, such as emails. */
const databaseErrors =
  /^(Mongo|Mongoose|BulkWrite|Validat|Cast|StrictMode|ObjectExpected|ObjectParameter|Version)\w*Error$/;

/** An error as a log line shows it: that of the database, or caused by one, without the values of documents. */
export function showError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const chain = listCauses(error);
  if (!chain.some(({ name }) => databaseErrors.test(name))) return pino.stdSerializers.err(error);
  return chain.map((one) => {
    const { code, codeName } = one as { code?: unknown; codeName?: unknown };
    const message = databaseErrors.test(one.name) ? beforeValues(one.message) : one.message;
    return { type: one.name, message, code, codeName, stack: framesOf(one) };
  });
}

/** What caused a failure, in one line, without the values of documents; undefined unless it is an error. */
export function describeCause(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  const { name, message } = cause;
  return `${name}: ${databaseErrors.test(name) ? beforeValues(message) : message}`;
}

function listCauses(error: Error): Error[] {
  const chain: Error[] = [];
  for (let one: unknown = error; one instanceof Error && chain.length < maxCauses; one = one.cause)
    chain.push(one);
  return chain;
}

/** Values are quoted, or follow a brace or a colon. */
function beforeValues(message: string): string {
  return message.split(/["'`{]|: (?=\S+@)/, 1)[0]?.trim() ?? '';
}

/** The first lines of a stack are the message. */
function framesOf({ stack = '' }: Error): string {
  return stack
    .split('\n')
    .filter((line) => /^ +at /.test(line))
    .join('\n');
}
