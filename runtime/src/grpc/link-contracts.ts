import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';
import type { PackageDefinition } from '@grpc/proto-loader';

/**
 * Corrects the contracts that proto-loader has read, for gRPC reflection. The loader omits file dependencies and full
 * type names, and writes reserved ranges with a wrong end. Go clients such as grpcurl require all three.
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

/** The contract files by name. The loader repeats all of them in each definition. */
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
  const fullName = `${scope}.${name}`;
  return [
    fullName,
    ...nestedType.flatMap((nested) => namesIn(fullName, nested)),
    ...enumType.map((nested) => `${fullName}.${nested.name}`),
  ];
}

/** Corrects one file in place. `fileOfType` gives the file that defines a type, by the full name of the type. */
function link(file: FileDescriptorProto, fileOfType: ReadonlyMap<string, string>): void {
  const dependencies = new Set<string>();

  /**
   * Returns the full name of a type, with a leading dot, from its name as written within a scope: a package or a
   * message. The innermost definition wins.
   */
  function resolve(written: string, scope: string): string {
    if (written.startsWith('.')) return written;
    for (let within = scope; ; within = within.slice(0, Math.max(0, within.lastIndexOf('.')))) {
      const name = within === '' ? written : `${within}.${written}`;
      const owner = fileOfType.get(name);
      if (owner !== undefined) {
        if (owner !== file.name) dependencies.add(owner);
        return `.${name}`;
      }
      if (within === '') throw new Error(`the contracts do not define ${written}`);
    }
  }

  function linkMessage(message: DescriptorProto, scope: string): void {
    const fullName = `${scope}.${message.name}`;
    for (const field of message.field)
      if (field.typeName !== '') field.typeName = resolve(field.typeName, fullName);
    // The end of a range is exclusive, but the loader writes the last number.
    for (const range of message.reservedRange) range.end += 1;
    for (const nested of message.nestedType) linkMessage(nested, fullName);
  }

  for (const message of file.messageType) linkMessage(message, file.package);
  for (const { method: methods } of file.service)
    for (const method of methods) {
      method.inputType = resolve(method.inputType, file.package);
      method.outputType = resolve(method.outputType, file.package);
    }
  file.dependency = [...dependencies];
}
