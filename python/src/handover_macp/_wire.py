"""Protobuf messages made at run time from the committed descriptor set.

The pool is private: generated stubs would tie the SDK to one protobuf version, and the default pool would clash with
another package that brings the same files. `Message` is `Any` because such classes have no static type.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

Message = Any

SERVICE = "macp.v1.MACPRuntimeService"


@dataclass(frozen=True)
class Method:
    """One RPC of the service."""

    name: str
    path: str
    request: Message
    response: Message
    client_streaming: bool
    server_streaming: bool


def _load_files() -> list[Any]:
    data = Path(__file__).with_name("_descriptors.binpb").read_bytes()
    return list(descriptor_pb2.FileDescriptorSet.FromString(data).file)


_files = _load_files()
_pool = descriptor_pool.DescriptorPool()
for _file in _files:
    _pool.AddSerializedFile(_file.SerializeToString())

MESSAGE_NAMES = frozenset(f"{_file.package}.{_type.name}" for _file in _files for _type in _file.message_type)
"""The full names of all messages but nested ones."""


def message_class(full_name: str) -> Message:
    """The class of a message by its full protobuf name."""
    descriptor = _pool.FindMessageTypeByName(full_name)
    if hasattr(message_factory, "GetMessageClass"):
        return message_factory.GetMessageClass(descriptor)
    return message_factory.MessageFactory(_pool).GetPrototype(descriptor)  # protobuf 4.21


def core(name: str) -> Message:
    """A message class of package `macp.v1`."""
    return message_class(f"macp.v1.{name}")


def enum_name(enum: str, number: int, prefix: str) -> str:
    """The name of an enum value without its prefix; a number this SDK does not know is shown as digits."""
    value = _pool.FindEnumTypeByName(enum).values_by_number.get(number)
    return str(value.name).removeprefix(prefix) if value else str(number)


def _read_methods() -> dict[str, Method]:
    methods = {}
    for file in _files:
        for service in file.service:
            for method in service.method:
                methods[method.name] = Method(
                    name=method.name,
                    path=f"/{file.package}.{service.name}/{method.name}",
                    request=message_class(method.input_type.lstrip(".")),
                    response=message_class(method.output_type.lstrip(".")),
                    client_streaming=method.client_streaming,
                    server_streaming=method.server_streaming,
                )
    return methods


METHODS = _read_methods()
