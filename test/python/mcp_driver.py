"""One MCP client over stdio, of the Python SDK 1.x or 2.x, moved by lines of JSON on stdin; answers are lines on stdout."""

import asyncio
import json
import os
import sys
from contextlib import AsyncExitStack
from importlib.metadata import version

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

NEWER = version("mcp").startswith("2.")


def say(line):
    print(json.dumps(line), flush=True)


async def connect(stack, server):
    if NEWER:
        from mcp import Client

        return await stack.enter_async_context(Client(server))

    async def heard(message):
        root = getattr(message, "root", message)
        uri = getattr(getattr(root, "params", None), "uri", None)
        if uri is not None:
            say({"updated": str(uri)})

    read, write = await stack.enter_async_context(stdio_client(server, errlog=open(os.devnull, "w")))
    session = await stack.enter_async_context(ClientSession(read, write, message_handler=heard))
    await session.initialize()
    return session


async def follow(stack, client, uri):
    if not NEWER:
        from pydantic import AnyUrl

        await client.subscribe_resource(AnyUrl(uri))
        return
    subscription = await stack.enter_async_context(client.listen(resource_subscriptions=[uri]))

    async def hear():
        async for event in subscription:
            say({"updated": str(getattr(event, "uri", ""))})

    asyncio.create_task(hear())


async def answer(stack, client, request):
    try:
        if request["do"] == "tools":
            value = [tool.name for tool in (await client.list_tools()).tools]
        elif request["do"] == "follow":
            value = await follow(stack, client, request["uri"])
        else:
            result = await client.call_tool(request["name"], request["arguments"])
            value = result.model_dump(mode="json", by_alias=True, exclude_none=True)
        say({"id": request["id"], "value": value})
    except Exception as error:
        say({"id": request["id"], "error": f"{type(error).__name__}: {error}"})


async def main():
    command, *args = sys.argv[1:]
    server = StdioServerParameters(command=command, args=args, env=dict(os.environ))
    loop = asyncio.get_running_loop()
    running = set()
    async with AsyncExitStack() as stack:
        client = await connect(stack, server)
        say({"id": 0, "value": version("mcp")})
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            request = json.loads(line)
            if request["do"] == "follow":
                # What is opened here is closed by this task.
                await answer(stack, client, request)
                continue
            task = asyncio.create_task(answer(stack, client, request))
            running.add(task)
            task.add_done_callback(running.discard)


asyncio.run(main())
