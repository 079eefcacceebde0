import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';
import { linkContracts } from './link-contracts.ts';

/** Where the contracts are, and which of them a server speaks. */
export type Contracts = {
  /** the folder that holds them, as their imports are written from it */
  folder: string;
  /** shelfwise/scoring/v1/scoring.proto */
  files: readonly string[];
};

/** What a service speaks: its own contract, and that of the status. `protoPackage`: the address of proto's package.json. */
export function serviceContracts(protoPackage: string, file: string): Contracts {
  return { folder: dirname(fileURLToPath(protoPackage)), files: [file, 'shelfwise/runtime/v1/status.proto'] };
}

/**
 * Lets a client ask a server for its own contracts (gRPC Server Reflection), so that grpcurl and its like need no file.
 * Names stay as the contracts spell them. Of the services that they hold it tells those that the server has.
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
