import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import type { Server } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { descriptorSet } from '@shelfwise/proto/descriptor-set';

type PackageDefinition = ConstructorParameters<typeof ReflectionService>[0];

/**
 * Adds gRPC Server Reflection, so that clients such as grpcurl need no proto files. Lists only `services`, by full
 * name.
 */
export function addReflection(server: Pick<Server, 'addService'>, services: readonly string[]): void {
  const { file } = fromBinary(FileDescriptorSetSchema, Buffer.from(descriptorSet, 'base64'));
  for (const { messageType } of file) keepFieldNames(messageType);
  const fileDescriptorProtos = file.map((one) => Buffer.from(toBinary(FileDescriptorProtoSchema, one)));
  // The library reads nothing else from a package definition.
  const contracts = { contracts: { fileDescriptorProtos } } as unknown as PackageDefinition;
  new ReflectionService(contracts, { services: [...services] }).addToServer(server);
}

/** Clients print and accept fields in JSON as the contracts spell them, not in camelCase. */
function keepFieldNames(messages: readonly DescriptorProto[]): void {
  for (const { field: fields, nestedType } of messages) {
    for (const field of fields) field.jsonName = field.name;
    keepFieldNames(nestedType);
  }
}
