import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { linkContracts } from './link-contracts.ts';

/** The proto files of a server. */
export type Contracts = {
  /** The root folder of the imports in the files. */
  folder: string;
  /** For example: shelfwise/runtime/v1/status.proto */
  files: readonly string[];
};

/**
 * The contracts of a service: its own file and the status service. `protoPackage` is the URL of the package.json of
 * proto.
 */
export function serviceContracts(protoPackage: string, file: string): Contracts {
  return { folder: dirname(fileURLToPath(protoPackage)), files: [file, 'shelfwise/runtime/v1/status.proto'] };
}

/**
 * Adds gRPC Server Reflection, so that clients such as grpcurl need no proto files. Field names keep their spelling
 * from the contracts. Only services that the server implements are listed.
 * @throws when a contract cannot be read
 */
export function addReflection(
  server: Pick<Server, 'addService'>,
  { folder, files }: Contracts,
  services: readonly string[],
): void {
  const contracts = loadSync([...files], { includeDirs: [folder], keepCase: true });
  new ReflectionService(linkContracts(contracts), { services: [...services] }).addToServer(server);
}
