import { join } from 'node:path';
import { create, createFileRegistry, fromBinary } from '@bufbuild/protobuf';
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { loadSync } from '@grpc/proto-loader';
import { linkContracts } from '../src/grpc/link-contracts.ts';

/** The files of a contract as a client receives them, by name. */
function filesOf(contract: string): Map<string, FileDescriptorProto> {
  const loaded = loadSync([contract], { includeDirs: [join(__dirname, '../../proto')], keepCase: true });
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

test.each([
  ['shelfwise/scoring/v1/scoring.proto', 'shelfwise.scoring.v1.ScoringService'],
  ['shelfwise/tracking/v1/tracking.proto', 'shelfwise.tracking.v1.TrackingService'],
  ['shelfwise/store/v1/store.proto', 'shelfwise.store.v1.StoreFetchService'],
  ['shelfwise/niche/v1/niche.proto', 'shelfwise.niche.v1.NicheService'],
  ['shelfwise/chart/v1/chart.proto', 'shelfwise.chart.v1.ChartService'],
  ['shelfwise/runtime/v1/status.proto', 'shelfwise.runtime.v1.StatusService'],
])('a client can link %s from the files of a server', (contract, service) => {
  const files = filesOf(contract);
  const own = [...files.values()].find((file) => service.startsWith(`${packagePrefix(file.name)}.`));
  if (!own) throw new Error(`no file of ${service}`);
  // Throws when a dependency is missing or a type is undefined.
  const file = [...new Set(inOrder(files, own.name))];
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file }));
  const { methods } = registry.getService(service) ?? { methods: [] };
  expect(methods.length).toBeGreaterThan(0);
});

test('a type is resolved in another package and as a nested type', () => {
  const files = filesOf('shelfwise/scoring/v1/scoring.proto');
  const scoring = files.get('shelfwise_scoring_v1.proto');
  expect(scoring?.dependency).toContain('shelfwise_tracking_v1.proto');
  const request = scoring?.messageType.find(({ name }) => name === 'GetAsoHealthRequest');
  expect(request?.field.map(({ name, typeName }) => [name, typeName])).toEqual([
    ['app', '.shelfwise.tracking.v1.TrackedListing'],
    ['include_words', ''],
  ]);
  const status = filesOf('shelfwise/runtime/v1/status.proto').get('shelfwise_runtime_v1.proto');
  const part = status?.messageType.find(({ name }) => name === 'PartStatus');
  expect(part?.field.map(({ typeName }) => typeName)).toContain('.shelfwise.runtime.v1.PartStatus.State');
});

test('reserved ranges have an exclusive end', () => {
  const scoring = filesOf('shelfwise/scoring/v1/scoring.proto').get('shelfwise_scoring_v1.proto');
  const app = scoring?.messageType.find(({ name }) => name === 'TermApp');
  expect(app?.reservedRange.map(({ start, end }) => [start, end])).toEqual([
    [3, 4],
    [5, 6],
  ]);
});
