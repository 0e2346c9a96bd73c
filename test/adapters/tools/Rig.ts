import { Effect } from "effect"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import { type ToolRequest, ToolRunner } from "../../../core/ports/ToolRunner.ts"

export const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

/** A use of a tool at an address. */
export const requestTo = (
  url: string,
  more: Partial<Omit<ToolRequest, "tool">> & { readonly tool?: Partial<ToolRequest["tool"]> } = {}
): ToolRequest => ({
  workspace_id: "ws_1",
  secrets: [secret],
  idempotency_key: "tool_sess_1_1",
  session_id: "sess_1",
  call_id: "call_1",
  arguments: RawJson(`{"order_number":"AB-1234"}`),
  metadata: null,
  ...more,
  tool: {
    name: "order_status",
    description: "Looks up an order.",
    parameters: {},
    timeout_seconds: 10,
    repeatable: false,
    ...more.tool,
    url
  }
})

export const run = (url: string, more?: Parameters<typeof requestTo>[1]) =>
  Effect.flatMap(ToolRunner, (tools) => tools.run(requestTo(url, more)))
