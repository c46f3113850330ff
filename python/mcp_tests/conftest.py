"""A client of `tcpwhy mcp`, written with the official Python SDK."""

import contextlib
import json
import os
import pathlib

import anyio
import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"
PROGRAM = os.environ.get("TCPWHY_PROGRAM", str(ROOT / "target/debug/tcpwhy"))
# The most bytes of one answer, and of the text of all tools.
MOST_ANSWER, MOST_TOOLS = 4096, 6144


class Client:
    """Calls tools one after the other; every answer is checked for what holds of all."""

    def __init__(self, session):
        self.session = session

    async def raw(self, tool, progress=None, **arguments):
        result = await self.session.call_tool(tool, arguments, progress_callback=progress)
        assert len(result.content) == 1
        text = result.content[0].text
        assert len(text.encode()) <= MOST_ANSWER, f"{tool} {arguments}: {len(text.encode())} bytes"
        assert result.is_error in (False, None) or json.loads(text).keys() == {"error"}
        return result.is_error, text

    async def call(self, tool, progress=None, **arguments):
        is_error, text = await self.raw(tool, progress, **arguments)
        assert not is_error, f"{tool} {arguments}: {text}"
        answer = json.loads(text)
        if "matched" in answer:
            assert answer["returned"] <= answer["matched"]
        has_ground(answer)
        return answer

    async def error(self, tool, **arguments):
        is_error, text = await self.raw(tool, **arguments)
        assert is_error, f"{tool} {arguments}: {text}"
        return json.loads(text)["error"]


# Keys whose values are measured: an object that has one says where its numbers come from.
MEASURED = {"seconds", "lost_s", "share", "bytes", "goodput_bits_per_s", "median_us", "value", "low_s"}


def has_ground(value):
    """Fails on an object with measured numbers and without a ground."""
    if isinstance(value, dict):
        if MEASURED & {key for key, item in value.items() if isinstance(item, (int, float)) and not isinstance(item, bool)}:
            assert "ground" in value, value
        for item in value.values():
            has_ground(item)
    elif isinstance(value, list):
        for item in value:
            has_ground(item)


@contextlib.asynccontextmanager
async def connected(*arguments):
    server = StdioServerParameters(command=PROGRAM, args=["mcp", *map(str, arguments)], env={"LANG": "C.UTF-8", **os.environ})
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        await session.initialize()
        yield Client(session)


@pytest.fixture
def served():
    """Runs `scenario(client)` with a server of these arguments."""

    def run(scenario, *arguments, seconds=120):
        async def whole():
            with anyio.fail_after(seconds):
                async with connected(*arguments) as client:
                    return await scenario(client)

        return anyio.run(whole)

    return run
