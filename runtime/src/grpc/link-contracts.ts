import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { PackageDefinition } from '@grpc/proto-loader';

/**
 * Completes the contracts as the loader reads them. The loader omits file dependencies and full type names, and
 * writes reserved ranges with a wrong end. Go clients such as grpcurl require all three.
 */
export function linkContracts(contracts: PackageDefinition): PackageDefinition {
  const files = filesOf(contracts);
  const fileOfType = new Map(
    [...files.values()].flatMap((file) => typeNames(file).map((name) => [name, file.name] as const)),
  );
  for (const file of files.values()) link(file, fileOfType);
  const linked = [...files.values()].map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  return Object.fromEntries(
    Object.entries(contracts).map(([name, definition]) => [
      name,
      'fileDescriptorProtos' in definition ? { ...definition, fileDescriptorProtos: linked } : definition,
    ]),
  ) as PackageDefinition;
}

function filesOf(contracts: PackageDefinition): Map<string, FileDescriptorProto> {
  const files = new Map<string, FileDescriptorProto>();
  for (const { fileDescriptorProtos } of Object.values(contracts))
    if (Array.isArray(fileDescriptorProtos))
      for (const bytes of fileDescriptorProtos) {
        const file = fromBinary(FileDescriptorProtoSchema, bytes);
        if (!files.has(file.name)) files.set(file.name, file);
      }
  return files;
}

/** The full names of all messages and enums, including nested ones. */
function typeNames({ package: scope, messageType, enumType }: FileDescriptorProto): string[] {
  return [
    ...messageType.flatMap((message) => namesIn(scope, message)),
    ...enumType.map(({ name }) => `${scope}.${name}`),
  ];
}

function namesIn(scope: string, { name, nestedType, enumType }: DescriptorProto): string[] {
  const own = `${scope}.${name}`;
  return [
    own,
    ...nestedType.flatMap((nested) => namesIn(own, nested)),
    ...enumType.map((one) => `${own}.${one.name}`),
  ];
}

function link(file: FileDescriptorProto, fileOfType: ReadonlyMap<string, string>): void {
  const needed = new Set<string>();

  /** Resolves a type name within a scope: the innermost definition wins. */
  function resolve(written: string, scope: string): string {
    if (written.startsWith('.')) return written;
    for (let within = scope; ; within = within.slice(0, Math.max(0, within.lastIndexOf('.')))) {
      const name = within === '' ? written : `${within}.${written}`;
      const owner = fileOfType.get(name);
      if (owner !== undefined) {
        if (owner !== file.name) needed.add(owner);
        return `.${name}`;
      }
      if (within === '') throw new Error(`the contracts do not define ${written}`);
    }
  }

  function linkMessage(message: DescriptorProto, scope: string): void {
    const own = `${scope}.${message.name}`;
    for (const field of message.field)
      if (field.typeName !== '') field.typeName = resolve(field.typeName, own);
    // The end of a range is exclusive, but the loader writes the last number.
    for (const range of message.reservedRange) range.end += 1;
    for (const nested of message.nestedType) linkMessage(nested, own);
  }

  for (const message of file.messageType) linkMessage(message, file.package);
  for (const { method: methods } of file.service)
    for (const method of methods) {
      method.inputType = resolve(method.inputType, file.package);
      method.outputType = resolve(method.outputType, file.package);
    }
  file.dependency = [...needed];
}
