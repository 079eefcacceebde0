import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { Client, credentials, type ServiceDefinition } from '@grpc/grpc-js';
import { descriptorSet } from '@shelfwise/proto/descriptor-set';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { useClosing } from '../../testing/use-closing.ts';
import { createGrpcServer } from '../src/grpc/server/grpc-server.ts';
import { addReflection } from '../src/grpc/server/reflection.ts';
import { createLogger } from '../src/log/logger.ts';
import { createMetrics } from '../src/metrics/metrics.ts';

const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

type Answer = {
  listServicesResponse?: { service: { name: string }[] };
  fileDescriptorResponse?: { fileDescriptorProto: Uint8Array[] };
};

const closing = useClosing();

async function startServer(hasReflection: boolean): Promise<string> {
  const server = createGrpcServer({ name: 'test', logger, metrics: createMetrics(), hasReflection });
  server.addService(StatusServiceService, { getStatus: async () => ({ parts: [] }) });
  closing.push(() => server.drain(1000));
  return server.listen('127.0.0.1:0');
}

/** The reflection protocol, as the library defines it. */
function reflectionMethod() {
  const definitions: ServiceDefinition[] = [];
  addReflection({ addService: (definition) => definitions.push(definition as ServiceDefinition) }, []);
  const method = definitions[0]?.ServerReflectionInfo;
  if (!method) throw new Error('the reflection protocol has changed');
  return method;
}

/** Sends a request as grpcurl does. */
function ask(address: string, question: object): Promise<Answer> {
  const { path, requestSerialize, responseDeserialize } = reflectionMethod();
  const client = new Client(address, credentials.createInsecure());
  return new Promise<Answer>((resolve, reject) => {
    const call = client.makeBidiStreamRequest<object, object>(path, requestSerialize, responseDeserialize);
    call.on('data', (answer: Answer) => {
      resolve(answer);
      call.end();
    });
    call.on('error', reject);
    call.write(question);
  }).finally(() => client.close());
}

/** The files that a server sends to a client that asks for a service, by name. */
async function filesOf(address: string, service: string): Promise<Map<string, FileDescriptorProto>> {
  const { fileDescriptorResponse } = await ask(address, { fileContainingSymbol: service });
  const files = (fileDescriptorResponse?.fileDescriptorProto ?? []).map((bytes) =>
    fromBinary(FileDescriptorProtoSchema, Uint8Array.from(bytes)),
  );
  return new Map(files.map((file) => [file.name, file]));
}

/** A file after all its dependencies. */
function inOrder(files: ReadonlyMap<string, FileDescriptorProto>, name: string): FileDescriptorProto[] {
  const file = files.get(name);
  if (!file) throw new Error(`${name} is missing`);
  return [...file.dependency.flatMap((needed) => inOrder(files, needed)), file];
}

/** Every contract with a service, and the full name of the service. */
const contracts = fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSet, 'base64')).file.flatMap(
  (file) => file.service.map(({ name }) => [file.name, `${file.package}.${name}`] as const),
);

test.each(contracts)('a client can link %s from the files of a server', async (contract, service) => {
  const address = await startServer(true);
  const files = await filesOf(address, service);
  // Throws when a dependency is missing or a type is undefined.
  const file = [...new Set(inOrder(files, contract))];
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  const { methods } = registry.getService(service) ?? { methods: [] };
  expect(methods.length).toBeGreaterThan(0);
});

test('clients spell fields as the contracts do', async () => {
  const files = await filesOf(await startServer(true), 'shelfwise.runtime.v1.StatusService');
  const fields = [...files.values()].flatMap(({ messageType }) => messageType.flatMap(({ field }) => field));
  expect(fields.map(({ jsonName }) => jsonName)).toContain('is_embedded');
});

test('only services that the server implements are listed', async () => {
  const address = await startServer(true);
  const { listServicesResponse } = await ask(address, { listServices: '' });
  expect(listServicesResponse?.service).toEqual([
    { name: 'grpc.health.v1.Health' },
    { name: 'shelfwise.runtime.v1.StatusService' },
  ]);
});

test('a server without reflection does not describe itself', async () => {
  const address = await startServer(false);
  await expect(ask(address, { listServices: '' })).rejects.toThrow(/UNIMPLEMENTED/);
});
