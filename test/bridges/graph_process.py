"""The README's graph in a process of its own: graph_process.py <checkpoints> <thread> <start|go-on|resume|wait> <patience>.

Prints one line of JSON: the answer and what the graph waits for, if it does.
"""

import json
import sys

from conftest import agent, block
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.types import Command
from langgraph_bridge import resume_when_answered

STEPS = {
    "start": lambda graph, config, client: graph.invoke({"question": "is users locked?"}, config),
    "go-on": lambda graph, config, client: graph.invoke(None, config),
    "resume": lambda graph, config, client: graph.invoke(Command(resume=True), config),
    "wait": resume_when_answered,
}

checkpoints, thread, step, patience = sys.argv[1:]
config = {"configurable": {"thread_id": thread}}
with SqliteSaver.from_conn_string(checkpoints) as saver, agent("graph") as client:
    graph = block("LangGraph")["build"](client, saver, float(patience))
    answer = STEPS[step](graph, config, client).get("answer")
    waits = [pause.value for pause in graph.get_state(config).interrupts]
    print(json.dumps({"answer": answer, "waits": waits}), flush=True)
