import type { AgentTool, Transfer } from "../agents/Talk.ts"

/** A tool as a model is told of it. */
export interface Definition {
  readonly name: string
  readonly description: string
  readonly parameters: Readonly<Record<string, unknown>>
}

const none = { type: "object", properties: {}, additionalProperties: false }

const always: ReadonlyArray<Definition> = [
  {
    name: "end_call",
    description:
      "Ends the call. Say goodbye first. Use it when the conversation is over or the callee asks for it.",
    parameters: none
  },
  {
    name: "send_digits",
    description: "Presses keys on the line, to get through a menu. `w` waits half a second.",
    parameters: {
      type: "object",
      properties: { digits: { type: "string", description: "1 to 64 of 0 to 9, *, # and w" } },
      required: ["digits"],
      additionalProperties: false
    }
  },
  {
    name: "voicemail",
    description: "Use it at once when a voicemail or an answering machine has answered, and say nothing.",
    parameters: none
  },
  {
    name: "do_not_call",
    description: "Use it when the callee asks not to be called again. Confirm it to the callee afterwards.",
    parameters: none
  }
]

const transfer = (transfers: ReadonlyArray<Transfer>): Definition => ({
  name: "transfer",
  description:
    "Transfers the call. Tell the callee first. The numbers are: " +
    transfers.map(({ description, to_number }) => `${to_number} (${description})`).join("; "),
  parameters: {
    type: "object",
    properties: { to: { type: "string", enum: transfers.map(({ to_number }) => to_number) } },
    required: ["to"],
    additionalProperties: false
  }
})

/** All tools that a model is told of: the platform's and the agent's own. */
export const toolsOf = (agent: {
  readonly tools: ReadonlyArray<AgentTool>
  readonly transfers: ReadonlyArray<Transfer>
}): ReadonlyArray<Definition> => [
  ...always,
  ...(agent.transfers.length === 0 ? [] : [transfer(agent.transfers)]),
  ...agent.tools.map(({ description, name, parameters }) => ({ name, description, parameters }))
]
