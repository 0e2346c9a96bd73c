import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SimulatedAgentModel from "../../../adapters/simulated/SimulatedAgentModel.ts"
import { toolsOf } from "../../../core/model/conversations/BuiltInTools.ts"
import type { Message } from "../../../core/model/conversations/History.ts"
import { agentModelContract, callsIn, replyTo, requestOf, textIn } from "../../contracts/AgentModel.ts"

const { layer } = SimulatedAgentModel

agentModelContract("rules", layer)

const hello: Message = {
  role: "agent",
  text: "Hello, this is Mia. I am calling to confirm your appointment.",
  calls: []
}
const callee = (text: string): Message => ({ role: "callee", text })

const answered = (messages: ReadonlyArray<Message>, more: Parameters<typeof requestOf>[1] = {}) =>
  Effect.map(replyTo(requestOf(messages, more)), (parts) => ({
    text: textIn(parts),
    calls: callsIn(parts)
  })).pipe(Effect.provide(layer))

const namesAfter = (text: string, more: Parameters<typeof requestOf>[1] = {}) =>
  Effect.map(answered([hello, callee(text)], more), ({ calls }) => calls.map(({ name }) => name))

const order = {
  name: "order_status",
  description: "Looks up the status of an order by its number.",
  parameters: { type: "object", properties: { order_number: { type: "string" } }, required: ["order_number"] }
}
const withOrder = { tools: [...toolsOf({ tools: [], transfers: [] }), order] }
const transfers = toolsOf({
  tools: [],
  transfers: [
    { to_number: "+14155550100", description: "the dentist" },
    { to_number: "+14155550101", description: "the billing office, for invoices" }
  ]
})

describe("An agent by rules", () => {
  it.effect("says the same in the same talk, whatever was said in others", () =>
    Effect.gen(function* () {
      const talk = [hello, callee("Who is this?")]
      const once = yield* answered(talk)
      yield* answered([hello, callee("No.")], { session_id: "sess_2" })
      assert.deepStrictEqual(yield* answered(talk), once)
      assert.match(once.text, /Mia/)
    })
  )

  it.effect("says goodbye and ends the call when the talk is over", () =>
    Effect.gen(function* () {
      const { calls, text } = yield* answered([hello, callee("Thanks, goodbye!")])
      assert.match(text, /goodbye/i)
      assert.deepStrictEqual(calls, [{ name: "end_call", arguments: "{}" }])
      assert.deepStrictEqual(yield* namesAfter("Yes, that suits me."), [])
    })
  )

  it.effect("comes to the end when it is told to", () =>
    Effect.gen(function* () {
      const note: Message = {
        role: "note",
        text: "The call may last a few seconds more: come to its end now."
      }
      const { calls } = yield* answered([hello, note, callee("Well, when exactly is it?")])
      assert.deepStrictEqual(calls, [{ name: "end_call", arguments: "{}" }])
    })
  )

  it.effect("uses do_not_call for a callee who wants no calls any more, and for no other", () =>
    Effect.gen(function* () {
      for (const text of [
        "Stop calling me!",
        "Please don't call me here again.",
        "Take me off your list.",
        "Remove my number from your system, please.",
        "Put me on your do not call list.",
        "Bitte rufen Sie mich nie wieder an.",
        "Ne m'appelez plus jamais !",
        "No me vuelva a llamar."
      ]) {
        assert.deepStrictEqual(yield* namesAfter(text), ["do_not_call"], text)
      }
      for (const text of [
        "Don't call me again until Monday.",
        "Call me again tomorrow.",
        "I can't stop laughing.",
        "Please don't call if it rains."
      ]) {
        assert.notInclude(yield* namesAfter(text), "do_not_call", text)
      }
    })
  )

  it.effect("confirms that no more calls will come, and hangs up", () =>
    Effect.gen(function* () {
      const { calls, text } = yield* answered([
        hello,
        callee("Stop calling me."),
        { role: "agent", text: "", calls: [{ id: "tool_1_1", name: "do_not_call", arguments: "{}" }] },
        { role: "tool", id: "tool_1_1", name: "do_not_call", result: `{"ok":true}` }
      ])
      assert.match(text, /not wish to be called again/)
      assert.deepStrictEqual(calls, [{ name: "end_call", arguments: "{}" }])
    })
  )

  it.effect("tells an answering machine by its announcement, at the beginning of a talk alone", () =>
    Effect.gen(function* () {
      for (const text of [
        "Hi, this is Anna. I can't come to the phone right now. Please leave a message after the tone.",
        "The person you are calling is not available.",
        "Your call has been forwarded to an automated voice messaging system.",
        "Bitte hinterlassen Sie eine Nachricht nach dem Signalton."
      ]) {
        const { calls, text: said } = yield* answered([hello, callee(text)])
        assert.deepStrictEqual(calls, [{ name: "voicemail", arguments: "{}" }], text)
        assert.strictEqual(said, "")
      }
      assert.deepStrictEqual(yield* namesAfter("He is out. Do you want to leave a message?"), [])
      const late = [hello, callee("Yes?"), hello, callee("Go on."), hello, callee("Speak after the tone.")]
      assert.deepStrictEqual((yield* answered(late)).calls, [])
    })
  )

  it.effect(
    "uses a tool of the agent's own when the callee asks for what it does, and tells what it answered",
    () =>
      Effect.gen(function* () {
        const asked = callee("What is the status of my order AB-1234?")
        const { calls, text } = yield* answered([hello, asked], withOrder)
        assert.deepStrictEqual(calls, [{ name: "order_status", arguments: `{"order_number":"AB-1234"}` }])
        assert.notStrictEqual(text, "")
        const use: ReadonlyArray<Message> = [
          { role: "agent", text, calls: [{ id: "tool_1_1", ...calls[0]! }] },
          { role: "tool", id: "tool_1_1", name: "order_status", result: `{"status":"shipped"}` }
        ]
        const told = yield* answered([hello, asked, ...use], withOrder)
        assert.match(told.text, /The status is shipped\./)
        assert.deepStrictEqual(told.calls, [])
        assert.deepStrictEqual((yield* answered([hello, asked, ...use, asked], withOrder)).calls, [])
      })
  )

  it.effect("uses none when an argument that it needs was not said, or when nothing was asked", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* namesAfter("What is the status of my order?", withOrder), [])
      assert.deepStrictEqual(yield* namesAfter("My order AB-1234 has the status lost.", withOrder), [])
      assert.deepStrictEqual(yield* namesAfter("What is the weather in 1234?", withOrder), [])
    })
  )

  it.effect("apologises for a tool that has failed, and says so when one is not done yet", () =>
    Effect.gen(function* () {
      const told = (result: string) =>
        Effect.map(
          answered(
            [
              hello,
              callee("What is the status of my order AB-1?"),
              { role: "agent", text: "", calls: [{ id: "tool_1_1", name: "order_status", arguments: "{}" }] },
              { role: "tool", id: "tool_1_1", name: "order_status", result }
            ],
            withOrder
          ),
          ({ text }) => text
        )
      const failed = yield* told(`{"ok":false,"error":"timeout"}`)
      assert.match(failed, /sorry/)
      assert.notMatch(failed, /timeout/)
      assert.match(yield* told(`{"ok":null,"error":"it is not known whether this was carried out"}`), /sorry/)
      assert.match(yield* told(`{"ok":null,"status":"still running"}`), /still waiting/)
    })
  )

  it.effect("transfers to the number that fits when the callee wants a human", () =>
    Effect.gen(function* () {
      const to = (text: string) =>
        Effect.map(answered([hello, callee(text)], { tools: transfers }), ({ calls }) => calls[0]?.arguments)
      assert.strictEqual(yield* to("Can I talk to a real person?"), `{"to":"+14155550100"}`)
      assert.strictEqual(
        yield* to("I want a real person from billing, about my invoice."),
        `{"to":"+14155550101"}`
      )
      assert.deepStrictEqual(yield* namesAfter("Can I talk to a real person?"), [])
    })
  )
})
