/** The proto files with their comments, which the generated code and the descriptor set in schemas/ leave out. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface ProtoField {
  readonly name: string;
  readonly number: number;
  /** As in a proto file: `repeated string`, `map<string, bytes>`. */
  readonly type: string;
  /** Full name of the message or enum that it holds, if it holds one. */
  readonly holds: string | undefined;
  readonly comment: string;
}

export interface ProtoType {
  readonly name: string;
  readonly kind: 'message' | 'enum';
  readonly comment: string;
  readonly fields: readonly ProtoField[];
}

export interface ProtoCall {
  readonly name: string;
  readonly comment: string;
  readonly input: string;
  readonly output: string;
}

export interface Proto {
  /** By full name, in the order of the files. */
  readonly types: ReadonlyMap<string, ProtoType>;
  readonly calls: readonly ProtoCall[];
}

interface FieldJson {
  readonly name: string;
  readonly number?: number;
  readonly label?: string;
  readonly type?: string;
  readonly typeName?: string;
  readonly proto3Optional?: boolean;
}

interface MessageJson {
  readonly name: string;
  readonly field?: readonly FieldJson[];
  readonly nestedType?: readonly MessageJson[];
  readonly enumType?: readonly EnumJson[];
  readonly options?: { readonly mapEntry?: boolean };
}

interface EnumJson {
  readonly name: string;
  readonly value: readonly FieldJson[];
}

interface FileJson {
  readonly package: string;
  readonly messageType?: readonly MessageJson[];
  readonly enumType?: readonly EnumJson[];
  readonly service?: readonly {
    readonly method: readonly {
      readonly name: string;
      readonly inputType: string;
      readonly outputType: string;
    }[];
  }[];
  readonly sourceCodeInfo: {
    readonly location: readonly { readonly path?: readonly number[]; readonly leadingComments?: string }[];
  };
}

/** Field numbers of descriptor.proto, of which the paths of comments are made. */
const FILE = { message: 4, enum: 5, service: 6 } as const;
const MESSAGE = { field: 2, nested: 3, enum: 4 } as const;
const VALUE_OF_ENUM = 2;
const METHOD_OF_SERVICE = 2;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const buf = join(root, 'node_modules', '.bin', 'buf');
const withoutDot = (name: string) => name.replace(/^\./, '');

export function readProto(): Proto {
  const args = ['build', '--as-file-descriptor-set', '--output', '-#format=json'];
  const text = execFileSync(buf, args, { cwd: root, encoding: 'utf8', maxBuffer: 16_000_000 });
  const files = (JSON.parse(text) as { readonly file: readonly FileJson[] }).file;
  const types = new Map(files.flatMap((file) => typesOf(file).map((type) => [type.name, type] as const)));
  return { types, calls: files.flatMap(callsOf) };
}

function commentsOf({ sourceCodeInfo }: FileJson): (...path: readonly number[]) => string {
  const comments = new Map(
    sourceCodeInfo.location.map(({ path = [], leadingComments = '' }) => [path.join('.'), leadingComments]),
  );
  return (...path) => (comments.get(path.join('.')) ?? '').trim().replace(/\s+/g, ' ');
}

function callsOf(file: FileJson): readonly ProtoCall[] {
  const comment = commentsOf(file);
  return (file.service ?? []).flatMap(({ method }, service) =>
    method.map(({ name, inputType, outputType }, index) => ({
      name,
      comment: comment(FILE.service, service, METHOD_OF_SERVICE, index),
      input: withoutDot(inputType),
      output: withoutDot(outputType),
    })),
  );
}

function typesOf(file: FileJson): readonly ProtoType[] {
  const comment = commentsOf(file);
  const enumType = ({ name, value }: EnumJson, prefix: string, path: readonly number[]): ProtoType => ({
    name: `${prefix}.${name}`,
    kind: 'enum',
    comment: comment(...path),
    fields: value.map((each, index) => ({
      name: each.name,
      number: each.number ?? 0,
      type: '',
      holds: undefined,
      comment: comment(...path, VALUE_OF_ENUM, index),
    })),
  });
  const messageTypes = (
    message: MessageJson,
    prefix: string,
    path: readonly number[],
  ): readonly ProtoType[] => {
    const name = `${prefix}.${message.name}`;
    const { field = [], nestedType = [], enumType: enums = [] } = message;
    const maps = new Map(
      nestedType.filter(({ options }) => options?.mapEntry).map((entry) => [`${name}.${entry.name}`, entry]),
    );
    return [
      {
        name,
        kind: 'message',
        comment: comment(...path),
        fields: field.map((each, index) => ({
          ...typeOf(each, maps),
          name: each.name,
          number: each.number ?? 0,
          comment: comment(...path, MESSAGE.field, index),
        })),
      },
      ...nestedType.flatMap((nested, index) =>
        nested.options?.mapEntry ? [] : messageTypes(nested, name, [...path, MESSAGE.nested, index]),
      ),
      ...enums.map((nested, index) => enumType(nested, name, [...path, MESSAGE.enum, index])),
    ];
  };
  return [
    ...(file.messageType ?? []).flatMap((each, index) =>
      messageTypes(each, file.package, [FILE.message, index]),
    ),
    ...(file.enumType ?? []).map((each, index) => enumType(each, file.package, [FILE.enum, index])),
  ];
}

function typeOf(
  { label, type = '', typeName = '', proto3Optional }: FieldJson,
  maps: ReadonlyMap<string, MessageJson>,
): Pick<ProtoField, 'type' | 'holds'> {
  const full = withoutDot(typeName);
  const entry = maps.get(full);
  if (entry) {
    const [key, value] = (entry.field ?? []).map((each) => typeOf(each, maps).type);
    return { type: `map<${key}, ${value}>`, holds: undefined };
  }
  const one = full === '' ? type.replace('TYPE_', '').toLowerCase() : (full.split('.').at(-1) ?? full);
  const before = label === 'LABEL_REPEATED' ? 'repeated ' : proto3Optional ? 'optional ' : '';
  return { type: before + one, holds: full === '' ? undefined : full };
}
