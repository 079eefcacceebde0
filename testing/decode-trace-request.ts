import { BinaryReader } from '@bufbuild/protobuf/wire';

export type ReceivedSpan = {
  traceId: string;
  spanId: string;
  /** Empty: the span starts its trace. */
  parentId: string;
  name: string;
  kind: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  attributes: Record<string, string | number | boolean>;
  /** The spans that it is linked to, and their traces. */
  links: { traceId: string; spanId: string }[];
  isFailed: boolean;
  /** Of the process. */
  resource: Record<string, string | number | boolean>;
};

type Field = { number: number; bytes: Uint8Array; value: number };

const kinds = ['internal', 'internal', 'server', 'client', 'producer', 'consumer'] as const;

/** The spans of an ExportTraceServiceRequest of OTLP, by the field numbers of its contract. */
export function decodeTraceRequest(request: Uint8Array): ReceivedSpan[] {
  return messages(request, 1).flatMap((resourceSpans) => {
    const resource = readAttributes(messages(resourceSpans, 1)[0] ?? new Uint8Array(), 1);
    return messages(resourceSpans, 2)
      .flatMap((scopeSpans) => messages(scopeSpans, 2))
      .map((span) => readSpan(span, resource));
  });
}

function readSpan(span: Uint8Array, resource: ReceivedSpan['resource']): ReceivedSpan {
  return {
    traceId: hex(messages(span, 1)[0]),
    spanId: hex(messages(span, 2)[0]),
    parentId: hex(messages(span, 4)[0]),
    name: text(messages(span, 5)[0]),
    kind: kinds[values(span, 6)[0] ?? 0] ?? 'internal',
    attributes: readAttributes(span, 9),
    links: messages(span, 13).map((link) => ({
      traceId: hex(messages(link, 1)[0]),
      spanId: hex(messages(link, 2)[0]),
    })),
    isFailed: messages(span, 15).some((status) => values(status, 3)[0] === 2),
    resource,
  };
}

function readAttributes(message: Uint8Array, field: number): ReceivedSpan['attributes'] {
  return Object.fromEntries(
    messages(message, field).map((attribute) => {
      const [value = new Uint8Array()] = messages(attribute, 2);
      const [whole] = readFields(value);
      return [
        text(messages(attribute, 1)[0]),
        whole?.number === 1 ? text(whole.bytes) : (whole?.value ?? ''),
      ];
    }),
  );
}

const messages = (message: Uint8Array, field: number) =>
  readFields(message).flatMap(({ number, bytes }) => (number === field ? [bytes] : []));

const values = (message: Uint8Array, field: number) =>
  readFields(message).flatMap(({ number, value }) => (number === field ? [value] : []));

/** The fields of a message: `bytes` of those with a length, `value` of numbers. */
function readFields(message: Uint8Array): Field[] {
  const reader = new BinaryReader(message);
  const fields: Field[] = [];
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (wireType === 2) fields.push({ number, bytes: reader.bytes(), value: 0 });
    else if (wireType === 0) fields.push({ number, bytes: new Uint8Array(), value: Number(reader.int64()) });
    else {
      reader.skip(wireType, number);
      fields.push({ number, bytes: new Uint8Array(), value: 0 });
    }
  }
  return fields;
}

const text = (bytes: Uint8Array = new Uint8Array()) => new TextDecoder().decode(bytes);
const hex = (bytes: Uint8Array = new Uint8Array()) => Buffer.from(bytes).toString('hex');
