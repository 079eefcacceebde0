import { join } from 'node:path';
import { Client, credentials, type ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { createGrpcServer } from '../src/grpc/grpc-server.ts';
import { createLogger } from '../src/logger.ts';
import { createMetrics } from '../src/metrics.ts';

const folder = join(__dirname, '../../proto');
const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

type Answer = {
  list_services_response?: unknown;
  file_descriptor_response?: { file_descriptor_proto: Buffer[] };
};

/** Sends a request as grpcurl does, with the reflection proto of the library. */
function ask(address: string, question: object): Promise<Answer> {
  const contract = require.resolve('@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto');
  const service = loadSync(contract, { keepCase: true })['grpc.reflection.v1.ServerReflection'];
  const { ServerReflectionInfo: method } = service as ServiceDefinition;
  if (!method) throw new Error('the reflection protocol has changed');
  const client = new Client(address, credentials.createInsecure());
  return new Promise<Answer>((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = method;
    const call = client.makeBidiStreamRequest<object, object>(path, requestSerialize, responseDeserialize);
    call.on('data', (answer: Answer) => {
      resolve(answer);
      call.end();
    });
    call.on('error', reject);
    call.write(question);
  }).finally(() => client.close());
}

test('a client can read the contracts of a server', async () => {
  const server = createGrpcServer({ name: 'test', logger, metrics: createMetrics() });
  server.addService(StatusServiceService, {
    getStatus: async () => ({ parts: [] }),
  });
  server.reflect({ folder, files: ['shelfwise/runtime/v1/status.proto'] });
  const address = await server.listen('127.0.0.1:0');

  const listed = await ask(address, { list_services: '' });
  const described = await ask(address, { file_containing_symbol: 'shelfwise.runtime.v1.StatusService' });
  await server.drain(1000);

  expect(JSON.stringify(listed)).toContain('shelfwise.runtime.v1.StatusService');
  const files = described.file_descriptor_response?.file_descriptor_proto ?? [];
  const texts = files.map((file) => file.toString('latin1'));
  expect(texts.join()).toContain('is_embedded');
});

test('only services that the server implements are listed', async () => {
  const server = createGrpcServer({ name: 'test', logger, metrics: createMetrics() });
  server.addService(StatusServiceService, { getStatus: async () => ({ parts: [] }) });
  const notImplemented = join(__dirname, 'contracts/light/v1/lamp.proto');
  server.reflect({ folder, files: [notImplemented, 'shelfwise/runtime/v1/status.proto'] });
  const address = await server.listen('127.0.0.1:0');
  const listed = JSON.stringify(await ask(address, { list_services: '' }));
  await server.drain(1000);
  expect(listed.match(/[\w.]+Service\b/g)).toEqual(['shelfwise.runtime.v1.StatusService']);
});

test('a missing contract is reported immediately', () => {
  const server = createGrpcServer({ name: 'test', logger, metrics: createMetrics() });
  expect(() => server.reflect({ folder, files: ['shelfwise/none.proto'] })).toThrow(/none\.proto/);
});
