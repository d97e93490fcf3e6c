import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { protoFiles } from './proto-files.js';

/** The proto files of the service and of all modes as FileDescriptorProto bytes: what server reflection hands out. */
export function fileDescriptors(): readonly Uint8Array[] {
  return protoFiles.map(({ proto }) => toBinary(FileDescriptorProtoSchema, proto));
}
