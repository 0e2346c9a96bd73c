import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { binaries } from "../../adapters/sql/PostgresServer.ts"
import * as RelayStand from "../../adapters/twilio/RelayStand.ts"
import { place } from "../../torture/talks/Scenario.ts"
import type { Placed } from "../../torture/talks/Callee.ts"
import * as Servers from "../../torture/talks/Servers.ts"
import { until } from "../../Until.ts"

const lost = { SessionStatus: "failed", ErrorCode: "64105" }

describe("a conversation on PostgreSQL", () => {
  it.scopedLive.skipIf(binaries === undefined && !process.env["CI"])(
    "changes its process when that one is killed, and when it is told to end, and is whole afterwards",
    () =>
      Effect.gen(function* () {
        const servers = yield* Servers.make({ store: "postgres", processes: 2, patches: [], thinking: 40 })
        const [{ call, call_id, session_id }] = (yield* place(servers, 1)) as [Placed]
        const at = (member: number) => servers.reach(servers.members[member]!.port)
        const connect = (twiml: string, member: number, callStatus?: "IN_PROGRESS") =>
          Effect.orDie(
            RelayStand.connect(twiml, call, { reach: at(member), ...(callStatus && { callStatus }) })
          )
        const end = (member: number, signal: NodeJS.Signals) =>
          Effect.sync(() => void servers.members[member]!.running!.process.kill(signal))
        const after = ({ action }: RelayStand.Relay, member: number, fields: Record<string, string>) =>
          Effect.map(
            RelayStand.post(action.url, { ...action.fields, ...fields }, at(member)),
            ({ text }) => text
          )
        /** Plays what the agent says until it has said this. */
        const hear = (relay: RelayStand.Relay, text: string): Effect.Effect<void> =>
          Effect.flatMap(relay.said, (said) =>
            Effect.zipRight(relay.play(said), said.includes(text) ? Effect.void : hear(relay, text))
          )

        const first = yield* connect(call.form.get("Twiml")!, 0)
        yield* hear(first, "this is the desk")
        yield* first.say("Tell me about 1.")
        yield* hear(first, "As to 1:")
        yield* first.say("Please book 2.")
        yield* until(
          "the tool is asked",
          Effect.sync(() => servers.uses.length === 1)
        )
        yield* end(0, "SIGKILL")
        assert.strictEqual(yield* first.closed, 1_006)

        const second = yield* connect(yield* after(first, 1, lost), 1, "IN_PROGRESS")
        yield* hear(second, "I lost you for a moment.")
        yield* hear(second, "As to 2:")
        yield* second.say("Tell me about 3.")
        yield* hear(second, "As to 3:")
        yield* servers.members[0]!.up.await
        yield* end(1, "SIGTERM")
        assert.strictEqual(yield* second.closed, 1_006)

        const third = yield* connect(yield* after(second, 0, lost), 0, "IN_PROGRESS")
        yield* hear(third, "I lost you for a moment.")
        yield* third.say("Close with 4.")
        yield* hear(third, "As to 4:")
        const HandoffData = yield* third.ended
        assert.include(yield* after(third, 0, { SessionStatus: "ended", HandoffData }), "<Hangup/>")

        yield* until(
          "the session is over",
          Effect.map(servers.request(`/sessions/${session_id}`), ({ status }) => status === "over")
        )
        assert.deepInclude(yield* servers.request(`/sessions/${session_id}`), {
          call_id,
          reason: "agent_hangup"
        })
        const { turns } = yield* servers.request(`/sessions/${session_id}/transcript`)
        /** A process that dies while a tool is asked may have begun to say that it takes a moment, which is not heard. */
        const said = (role: string): string =>
          (turns as ReadonlyArray<{ readonly role: string; readonly text: string }>)
            .filter(({ role: who, text }) => who === role && text !== "")
            .map(({ text }) => text.trim())
            .join(" ")
        const again = "Sorry, I lost you for a moment."
        const answer = (n: number) => `As to ${n}: it is done, and noted.`
        assert.strictEqual(said("callee"), "Tell me about 1. Please book 2. Tell me about 3. Close with 4.")
        assert.strictEqual(
          said("agent").replaceAll(/(?<=\.)(?=\w)/g, " "),
          ["Hello, this is the desk.", answer(1), again, answer(2), answer(3), again, answer(4)].join(" ")
        )
        assert.strictEqual(servers.uses.length, 1, "no tool twice")
      }),
    120_000
  )
})
