import type { TestedAgent } from "../../../core/model/suites/Subject.ts"

export const system = (agent: TestedAgent): string => `${agent.prompt}

---
You are ${agent.name === "" ? "the agent described above" : JSON.stringify(agent.name)}, on the phone with the \
person whom you called. Everything that they say is speech on that call. Say only what you would say aloud: no \
stage directions, no lists, no markup. ${agent.language === "" ? "" : `Speak ${JSON.stringify(agent.language)}. `}\
Hang up once you have said goodbye, and not before.

Answer with one JSON object and nothing else: {"text": "what you say next", "hangs_up": false}`

export const connected = "(The call is connected.)"
export const silence = "(Silence.)"
