import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { loadSync } from '@grpc/proto-loader';
import { linkContracts } from '../src/grpc/link-contracts.ts';

const contractsFolder = join(__dirname, '../../proto');
const testContractsFolder = join(__dirname, 'contracts');

/** The files of a contract as a client receives them, by name. */
function filesOf(contract: string, folder = testContractsFolder): Map<string, FileDescriptorProto> {
  const loaded = loadSync([contract], { includeDirs: [folder], keepCase: true });
  const files = Object.values(linkContracts(loaded)).flatMap(({ fileDescriptorProtos }) =>
    Array.isArray(fileDescriptorProtos) ? fileDescriptorProtos : [],
  );
  const decoded = files.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
  return new Map(decoded.map((file) => [file.name, file]));
}

/** A file after all its dependencies. */
function inOrder(files: ReadonlyMap<string, FileDescriptorProto>, name: string): FileDescriptorProto[] {
  const file = files.get(name);
  if (!file) throw new Error(`${name} is missing`);
  return [...file.dependency.flatMap((needed) => inOrder(files, needed)), file];
}

const packagePrefix = (file: string) => file.replace(/\.proto$/, '').replaceAll('_', '.');

/** Every contract with a service, and the full name of that service. */
const serviceContracts = readdirSync(contractsFolder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.startsWith('shelfwise') && file.endsWith('.proto'))
  .flatMap((file) => {
    const text = readFileSync(join(contractsFolder, file), 'utf8');
    const scope = text.match(/^package (\S+);/m)?.[1];
    const service = text.match(/^service (\w+)/m)?.[1];
    return service === undefined ? [] : [[file, `${scope}.${service}`] as const];
  });

test.each(serviceContracts)('a client can link %s from the files of a server', (contract, service) => {
  const files = filesOf(contract, contractsFolder);
  const own = [...files.values()].find((file) => service.startsWith(`${packagePrefix(file.name)}.`));
  if (!own) throw new Error(`no file of ${service}`);
  // Throws when a dependency is missing or a type is undefined.
  const file = [...new Set(inOrder(files, own.name))];
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  const { methods } = registry.getService(service) ?? { methods: [] };
  expect(methods.length).toBeGreaterThan(0);
});

test('a type is resolved in another package and as a nested type', () => {
  const files = filesOf('sky/v1/sky.proto');
  const sky = files.get('sky_v1.proto');
  expect(sky?.dependency).toContain('light_v1.proto');
  const typesOf = (message: string) =>
    sky?.messageType
      .find(({ name }) => name === message)
      ?.field.map(({ name, typeName }) => [name, typeName]);
  expect(typesOf('GetSkyRequest')).toEqual([
    ['lamp', '.light.v1.Lamp'],
    ['is_night', ''],
  ]);
  expect(typesOf('Star')).toContainEqual(['color', '.sky.v1.Star.Color']);
});

test('reserved ranges have an exclusive end', () => {
  const sky = filesOf('sky/v1/sky.proto').get('sky_v1.proto');
  const star = sky?.messageType.find(({ name }) => name === 'Star');
  expect(star?.reservedRange.map(({ start, end }) => [start, end])).toEqual([
    [3, 4],
    [5, 6],
  ]);
});
