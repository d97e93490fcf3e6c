"""The tool for the OpenAI Agents SDK, called by a model that is a script."""

import asyncio
import json

from agents import Agent, Model, ModelProvider, ModelResponse, RunConfig, Runner, Usage
from conftest import async_agent, block, soon
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from openai_agents_bridge import handover_tool, session_id_of

ARGUMENTS = json.dumps({"task": "import", "brief": "table users is locked"})


class Scripted(Model):
    """Calls the tool, then says what came back."""

    def __init__(self, call_id):
        self.call_id = call_id
        self.tools = []

    async def get_response(self, system_instructions, input, model_settings, tools, *rest, **named):
        self.tools = tools
        results = [item["output"] for item in input if isinstance(item, dict) and item.get("output")]
        return ModelResponse(output=[self._says(results)], usage=Usage(), response_id=None)

    def _says(self, results):
        if results:
            text = ResponseOutputText(text=results[-1], type="output_text", annotations=[])
            return ResponseOutputMessage(id="m", content=[text], role="assistant", status="completed", type="message")
        name = self.tools[0].name
        return ResponseFunctionToolCall(call_id=self.call_id, name=name, arguments=ARGUMENTS, type="function_call")

    def stream_response(self, *rest, **named):
        raise NotImplementedError


class Provider(ModelProvider):
    def __init__(self, model):
        self.model = model

    def get_model(self, model_name):
        return self.model


async def test_the_readmes_agent_hands_over_and_returns_the_answer(target):
    model = Scripted("call_1")
    triage = block("OpenAI Agents SDK")["triage"]
    session_id = session_id_of("INC-1", "call_1")
    async with async_agent("triage") as client:
        run = triage(client, "INC-1", "The import is stuck.", RunConfig(model_provider=Provider(model)))
        answer, _ = await soon(run, asyncio.to_thread(target.answer, session_id))
        assert json.loads(answer) == {"answer": "accepted", "by": "dba", "reason": "on it"}
        assert model.tools[0].name == "hand_over_to_dba"
        assert set(model.tools[0].params_json_schema["properties"]) == {"task", "brief"}
        session = target.session(session_id)
        assert session.projection.contexts["to:dba"][0].json() == json.loads(ARGUMENTS)
        assert session.projection.offers["to:dba"].scope == "import"
        assert session.projection.is_positive_outcome

        # The run is resumed elsewhere, and the call made again.
        said = target.said(session_id)
        again = triage(client, "INC-1", "The import is stuck.", RunConfig(model_provider=Provider(model)))
        assert await soon(again) == [answer]
        assert target.said(session_id) == said


async def test_a_decline_is_an_answer(target):
    async with async_agent("triage") as client:
        triage = block("OpenAI Agents SDK")["triage"]
        run = triage(client, "INC-2", "Stuck.", RunConfig(model_provider=Provider(Scripted("call_2"))))

        def decline():
            target.offered(session_id_of("INC-2", "call_2")).decline("to:dba", reason="no database of mine")

        answer, _ = await soon(run, asyncio.to_thread(decline))
        assert json.loads(answer) == {"answer": "declined", "by": "dba", "reason": "no database of mine"}


async def test_who_does_not_answer_in_time_cannot_answer_later(target):
    async with async_agent("triage") as client:
        tool = handover_tool(client, "dba", "knows the databases", conversation="INC-3", patience=0.3)
        agent = Agent(name="triage", tools=[tool])
        run = Runner.run(agent, "Stuck.", run_config=RunConfig(model_provider=Provider(Scripted("call_3"))))
        [result] = await soon(run)
        assert json.loads(result.final_output)["answer"] == "none"
        assert target.session(session_id_of("INC-3", "call_3")).metadata().state == "CANCELLED"
