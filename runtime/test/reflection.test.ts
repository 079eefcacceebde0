import { join } from 'node:path';
import { Client, credentials, type ServiceError } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { StatusServiceService } from '@shelfwise/proto/runtime/v1/status';
import { createGrpcServer } from '../src/grpc-server.ts';
import { createLogger } from '../src/logger.ts';
import { createMetrics } from '../src/metrics.ts';

const folder = join(__dirname, '../../proto');
const logger = createLogger({ name: 'test', level: 'silent', destination: process.stdout });

/** Asks as grpcurl does: with the reflection protocol's own contract, which comes with the library. */
function ask(address: string, question: object): Promise<Record<string, never>> {
  const contract = require.resolve('@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto');
  const definition = loadSync(contract, { keepCase: true });
  const method = (definition['grpc.reflection.v1.ServerReflection'] as Record<string, never>)
    .ServerReflectionInfo as {
    path: string;
    requestSerialize: (value: object) => Buffer;
    responseDeserialize: (bytes: Buffer) => Record<string, never>;
  };
  const client = new Client(address, credentials.createInsecure());
  return new Promise<Record<string, never>>((resolve, reject) => {
    const call = client.makeBidiStreamRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
    );
    call.on('data', (answer: Record<string, never>) => {
      resolve(answer);
      call.end();
    });
    call.on('error', (error: ServiceError) => reject(error));
    call.write(question);
  }).finally(() => client.close());
}

test('a client can ask a server for its own contracts', async () => {
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
  const { file_descriptor_response } = described as unknown as {
    file_descriptor_response: { file_descriptor_proto: Buffer[] };
  };
  const texts = file_descriptor_response.file_descriptor_proto.map((file) => file.toString('latin1'));
  expect(texts.join()).toContain('is_embedded');
});

test('a contract that is not there is told at once', () => {
  const server = createGrpcServer({ name: 'test', logger, metrics: createMetrics() });
  expect(() => server.reflect({ folder, files: ['shelfwise/none.proto'] })).toThrow(/none\.proto/);
});
