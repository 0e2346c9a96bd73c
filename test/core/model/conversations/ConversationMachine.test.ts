import { assert, describe, it } from "@effect/vitest"
import { answersOf, phaseOf } from "../../../../core/model/conversations/Conversation.ts"
import { historyOf } from "../../../../core/model/conversations/History.ts"
import { transcriptOf } from "../../../../core/model/conversations/Transcript.ts"
import { greeted, settings, Talk } from "./Talk.ts"

/** Why it is coming to its end. */
const reasonOf = ({ state }: Talk) => state.closing?.reason

const tags = (talk: Talk) => talk.take().map(({ _tag }) => _tag)

describe("a conversation's beginning", () => {
  it("waits for its line, then says the first message", () => {
    const talk = new Talk()
    assert.strictEqual(phaseOf(talk.state), "opening")
    talk.tell({ _tag: "Connected" })
    assert.strictEqual(talk.said(), "Hello, this is Ada.")
    assert.strictEqual(phaseOf(talk.state), "speaking")
    talk.hear()
    assert.strictEqual(phaseOf(talk.state), "listening")
    assert.deepStrictEqual(historyOf(talk.state), [{ role: "agent", text: "Hello, this is Ada.", calls: [] }])
  })

  it("lets the model open when there is no first message", () => {
    const talk = new Talk({ first_message: "" }).tell({ _tag: "Connected" })
    assert.deepInclude(talk.take(), { _tag: "Generate", generation: 1, tools: true })
    talk.model("Good ", "day.")
    assert.strictEqual(talk.said(), "Good day.")
  })

  it("ends as the carrier's fault when no line comes within 20 s", () => {
    const talk = new Talk().pass(19_999)
    assert.isNull(talk.state.over)
    assert.deepInclude(talk.pass(1).state.over, { reason: "carrier_error" })
  })
})

describe("a turn", () => {
  it("forwards each delta at once and tells the model what was heard", () => {
    const talk = greeted().callee("Who is this?")
    assert.deepStrictEqual(tags(talk), ["Generate"])
    talk.tell({ _tag: "Delta", generation: 1, text: "I am " })
    assert.strictEqual(talk.said(), "I am ")
    talk.model("Ada.")
    assert.strictEqual(talk.said(), "Ada.")
    talk.hear().callee("Hello Ada.")
    assert.deepStrictEqual(historyOf(talk.state), [
      { role: "agent", text: "Hello, this is Ada.", calls: [] },
      { role: "callee", text: "Who is this?" },
      { role: "agent", text: "I am Ada.", calls: [] },
      { role: "callee", text: "Hello Ada." }
    ])
  })

  it("counts as an answer from its first words that were heard, and what no model said does not", () => {
    const talk = greeted().callee("Who is this?").model("I am Ada. I call about Friday.")
    assert.strictEqual(answersOf(talk.state), 0)
    talk.tell({ _tag: "AgentSpeaking", on: true }, { _tag: "Played", text: "I am Ada." })
    assert.strictEqual(answersOf(talk.state), 1)
    talk.tell({ _tag: "Closed", reason: "dropped" }, { _tag: "Connected" }).hear()
    assert.strictEqual(answersOf(talk.state), 1)
    talk.tell({ _tag: "Closed", reason: "dropped" }, { _tag: "Connected" })
    assert.strictEqual(answersOf(talk.state), 1)
  })

  it("drops the deltas of a generation that was cancelled", () => {
    const talk = greeted().callee("One").callee("two")
    assert.deepStrictEqual(tags(talk), ["Generate", "CancelGeneration", "Generate"])
    talk.tell({ _tag: "Delta", generation: 1, text: "late" })
    assert.strictEqual(talk.said(), "")
    talk.model("Both.")
    assert.strictEqual(talk.said(), "Both.")
    assert.deepInclude(historyOf(talk.state), { role: "callee", text: "two" })
  })

  it("takes words that the line never calls final as they stand after 3 s", () => {
    const talk = greeted().callee("I would like", false).pass(2_999)
    assert.deepStrictEqual(tags(talk), [])
    talk.pass(1)
    assert.deepStrictEqual(tags(talk), ["Generate"])
    assert.deepInclude(historyOf(talk.state), { role: "callee", text: "I would like" })
  })

  it("cuts an agent that talks without end", () => {
    const talk = greeted().callee("Go on")
    for (let i = 0; i < 100; i++)
      talk.tell({ _tag: "Delta", generation: 1, text: "and on and on ".repeat(8) })
    assert.include(
      talk.take().map(({ _tag }) => _tag),
      "CancelGeneration"
    )
    assert.isTrue(talk.state.cycle!.complete)
  })
})

describe("an interruption", () => {
  const speaking = (changes = {}) => {
    const talk = greeted(changes).callee("Tell me").model("First this, then that, then more.")
    talk.take()
    return talk
      .tell({ _tag: "AgentSpeaking", on: true })
      .tell({ _tag: "CalleeSpeaking", on: true }, { _tag: "Played", text: "First this," })
      .tell({ _tag: "Interrupted", heard_ms: 900 })
  }

  it("leaves in the history what was heard, and marks the rest as not heard", () => {
    const talk = speaking().callee("Stop", false).callee("Stop please")
    assert.deepStrictEqual(historyOf(talk.state).slice(-2), [
      { role: "agent", text: "First this,", calls: [] },
      { role: "callee", text: "Stop please" }
    ])
    const turn = transcriptOf(talk.state).find(({ interrupted }) => interrupted)!
    assert.strictEqual(turn.text, "First this,")
    assert.strictEqual(turn.generated, "First this, then that, then more.")
    assert.deepStrictEqual(tags(talk), ["DoNotCall", "Generate"])
  })

  it("by a backchannel is none: the agent goes on where it was cut", () => {
    const talk = speaking().callee("Mhm.", false)
    assert.strictEqual(talk.said(), "")
    talk.callee("Mhm.")
    assert.strictEqual(talk.said(), " then that, then more.")
    assert.isNull(talk.state.generation)
  })

  it("by noise without words is none either", () => {
    const talk = speaking().tell({ _tag: "CalleeSpeaking", on: false }).pass(1_500)
    assert.strictEqual(talk.said(), " then that, then more.")
  })

  it("keeps what the model sends meanwhile until it is known whether it counts", () => {
    const talk = greeted().callee("Tell me")
    talk.tell({ _tag: "Delta", generation: 1, text: "First this, " }).take()
    talk.tell({ _tag: "Played", text: "First" }, { _tag: "Interrupted", heard_ms: 300 })
    talk.tell({ _tag: "Delta", generation: 1, text: "then that." }, { _tag: "Generated", generation: 1 })
    assert.strictEqual(talk.said(), "")
    talk.callee("okay")
    assert.strictEqual(talk.said(), " this, then that.")
  })

  it("is estimated by time where the line tells nothing of playout", () => {
    const line = { ...settings.line, reportsPlayout: false }
    const talk = new Talk({ line }).tell({ _tag: "Connected" }).pass(30_000)
    talk.callee("Tell me").model("One two three four five six seven eight nine ten.")
    talk
      .pass(300 + 1_000)
      .tell({ _tag: "Interrupted", heard_ms: null })
      .callee("Stop")
    const turn = transcriptOf(talk.state).find(({ interrupted }) => interrupted)!
    assert.strictEqual(turn.text, "One two three")
  })
})

describe("silence", () => {
  it("is nudged after the warning, and ended after the end, each counted from when the agent was heard", () => {
    const talk = greeted().pass(9_999)
    assert.strictEqual(talk.said(), "")
    talk.pass(1)
    assert.strictEqual(talk.said(), "Are you still there?")
    talk.pass(700).hear().pass(19_999)
    assert.isNull(talk.state.closing)
    talk.pass(1)
    assert.strictEqual(talk.said(), "Goodbye.")
    talk.pass(800).hear()
    assert.deepStrictEqual(tags(talk), ["End"])
    talk.tell({ _tag: "Closed", reason: "ended" })
    assert.deepInclude(talk.state.over, { reason: "idle_timeout" })
  })

  it("ends before a nudge that is not below the end", () => {
    const talk = greeted({ idle_timeout_warning: 20, idle_timeout_end: 20 }).pass(20_000)
    assert.strictEqual(talk.said(), "Goodbye.")
  })

  it("counts from when speech was heard, not from when it was sent", () => {
    const talk = greeted().callee("Hm?").model("A long answer.")
    talk.take()
    talk
      .tell({ _tag: "AgentSpeaking", on: true })
      .pass(9_000)
      .tell({ _tag: "Played", text: "A long answer." })
    talk.tell({ _tag: "AgentSpeaking", on: false }).pass(9_999)
    assert.strictEqual(talk.said(), "")
    talk.pass(1)
    assert.strictEqual(talk.said(), "Are you still there?")
  })

  it("is suspended by sound without words, but not for good", () => {
    const talk = greeted().pass(5_000).tell({ _tag: "CalleeSpeaking", on: true }).pass(54_999)
    assert.isNull(talk.state.closing)
    talk.pass(1)
    assert.strictEqual(reasonOf(talk), "idle_timeout")
  })

  it("goes on where it was when the sound is over", () => {
    const talk = greeted().pass(5_000).tell({ _tag: "CalleeSpeaking", on: true }).pass(30_000)
    talk.tell({ _tag: "CalleeSpeaking", on: false }).pass(4_999)
    assert.strictEqual(talk.said(), "")
    talk.pass(1)
    assert.strictEqual(talk.said(), "Are you still there?")
  })

  it("is not counted while the model thinks or a tool runs", () => {
    const talk = greeted()
      .callee("Look it up")
      .tools(["lookup", { order: 7 }])
    talk.take()
    talk.pass(30_000)
    assert.isNull(talk.state.closing)
    assert.include(talk.said(), "One moment.")
  })
})

describe("the longest call", () => {
  it("tells the model 30 s before, says goodbye, and ends", () => {
    const talk = greeted({ max_call_length: 120, idle_timeout_warning: 300, idle_timeout_end: 400 }).pass(
      90_000
    )
    assert.include(
      historyOf(talk.state).map(({ role }) => role),
      "note"
    )
    talk.pass(30_000)
    assert.strictEqual(talk.said(), "Goodbye.")
    talk.hear()
    assert.deepStrictEqual(tags(talk), ["End"])
    talk.pass(5_000)
    assert.deepInclude(talk.state.over, { reason: "max_call_length" })
  })
})

describe("a callee who talks without end", () => {
  const seconds = 120

  /** Talks from one second to the next, as a line tells of it, until the call is over or a minute is past its length. */
  const talked = (say: (talk: Talk, at: number) => void) => {
    const talk = greeted({ max_call_length: seconds }).tell({ _tag: "CalleeSpeaking", on: true })
    let said = ""
    let ended: number | null = null
    let largest = 0
    for (let at = 1; at <= seconds + 60 && talk.state.over === null; at++) {
      say(talk, at)
      if (talk.state.generation !== null)
        talk.model("I see. Let me tell you.").tell({ _tag: "Interrupted", heard_ms: 0 })
      talk.pass(1_000)
      const asked = talk.take()
      for (const command of asked) if (command._tag === "Say") said += command.text
      if (asked.some(({ _tag }) => _tag === "End")) ended = at
      largest = Math.max(largest, JSON.stringify(talk.state).length)
    }
    return { ended, largest, over: talk.state.over, said }
  }

  for (const [name, say] of [
    ["in one sentence that grows", (talk: Talk, at: number) => talk.callee("and then ".repeat(at), false)],
    [
      "in sentences without a pause between them",
      (talk: Talk, at: number) => talk.callee("and then", at % 3 !== 0).callee("and", false)
    ],
    [
      "over the agent's closing line too",
      (talk: Talk, at: number) => {
        talk.callee("and then ".repeat(at), false)
        if (at > seconds) talk.tell({ _tag: "Interrupted", heard_ms: 100 })
      }
    ],
    ["without words", () => undefined]
  ] as const) {
    it(`${name} is said goodbye to when the call is at its longest, and holds no more than was said`, () => {
      const { ended, largest, over, said } = talked(say)
      assert.isNotNull(over)
      assert.include(["max_call_length", "idle_timeout"], over!.reason)
      if (name !== "without words") assert.strictEqual(over!.reason, "max_call_length")
      assert.include(said, "Goodbye.")
      assert.isAtMost(ended ?? Infinity, seconds + 30)
      assert.isBelow(largest, 50_000)
    })
  }
})

describe("digits", () => {
  it("are gathered for 2 s, or to #, and told to the model as such", () => {
    const talk = greeted()
    for (const digit of "42") talk.tell({ _tag: "Digit", digit }).pass(1_000)
    assert.deepStrictEqual(tags(talk), [])
    talk.pass(1_000)
    assert.deepStrictEqual(tags(talk), ["Generate"])
    assert.deepInclude(historyOf(talk.state), { role: "callee", text: "[keys pressed: 42]" })
    talk.model("Thanks.").hear().take()
    talk.tell({ _tag: "Digit", digit: "7" }, { _tag: "Digit", digit: "#" })
    assert.deepStrictEqual(tags(talk), ["Generate"])
  })

  it("cut what is said when the line cuts it, and come before that cut", () => {
    const talk = greeted().callee("Menu").model("Press one for sales, two for support.")
    talk.take()
    talk.tell({ _tag: "Digit", digit: "1" }, { _tag: "Played", text: "Press one" })
    talk.tell({ _tag: "Interrupted", heard_ms: 500 }, { _tag: "Digit", digit: "#" })
    assert.deepInclude(historyOf(talk.state), { role: "agent", text: "Press one", calls: [] })
    assert.deepStrictEqual(tags(talk), ["Generate"])
  })
})

describe("tools", () => {
  it("run beside the talk: a filler after 700 ms, then the answer", () => {
    const talk = greeted()
      .callee("Where is my order?")
      .tools(["lookup", { order: 7 }])
    assert.deepInclude(talk.take(), {
      _tag: "RunTool",
      call: { id: "tool_1_1", name: "lookup", arguments: '{"order":7}' }
    })
    talk.pass(699)
    assert.strictEqual(talk.said(), "")
    talk.pass(1)
    assert.strictEqual(talk.said(), "One moment. ")
    talk.tell({ _tag: "ToolEnded", id: "tool_1_1", result: '{"state":"sent"}' })
    assert.deepStrictEqual(tags(talk), ["Generate"])
    assert.deepStrictEqual(historyOf(talk.state).slice(2, 4), [
      { role: "agent", text: "", calls: [{ id: "tool_1_1", name: "lookup", arguments: '{"order":7}' }] },
      { role: "tool", id: "tool_1_1", name: "lookup", result: '{"state":"sent"}' }
    ])
    talk.model("It was sent.")
    assert.strictEqual(talk.said(), "It was sent.")
  })

  it("that answer after the callee spoke over a filler: it is heard to its end, and then all is answered", () => {
    const talk = greeted()
      .callee("Book a table")
      .tools(["book", { at: 8 }])
    const [id] = Object.keys(talk.state.tools)
    talk.pass(800).callee("Are you there?").take()
    talk.tell({ _tag: "ToolEnded", id: id!, result: "{}" })
    assert.deepInclude(talk.take()[0], { _tag: "Say", text: "", last: true })
    talk.hear()
    assert.deepStrictEqual(tags(talk), ["Generate"])
  })

  it("that answer after the turn was complete add to it, which is heard to its end across a pause", () => {
    const talk = greeted()
      .callee("Book a table")
      .tools(["book", { at: 8 }])
    const [id] = Object.keys(talk.state.tools)
    talk.tell({ _tag: "Closed", reason: "dropped" }).pass(1_200).tell({ _tag: "Connected" })
    const { resumed } = settings.lines
    talk.tell({ _tag: "ToolEnded", id: id!, result: "{}" }).model("It is booked.")
    for (const text of [resumed, "It is booked."]) {
      talk.tell(
        { _tag: "AgentSpeaking", on: true },
        { _tag: "Played", text },
        { _tag: "AgentSpeaking", on: false }
      )
    }
    assert.isNull(talk.state.cycle)
    assert.deepInclude(
      transcriptOf(talk.state).findLast(({ role }) => role === "agent"),
      {
        text: `${resumed}It is booked.`,
        interrupted: false
      }
    )
  })

  it("are never stopped by an interruption, and their late result enters the history", () => {
    const talk = greeted().callee("Book it")
    talk.tell({ _tag: "Delta", generation: 1, text: "Booking now." }).tools(["book", {}])
    talk.take()
    talk.tell({ _tag: "Played", text: "Booking" }, { _tag: "Interrupted", heard_ms: 300 }).callee("Wait")
    assert.deepStrictEqual(tags(talk), ["Generate"])
    assert.deepInclude(historyOf(talk.state), {
      role: "tool",
      id: "tool_1_1",
      name: "book",
      result: '{"ok":null,"status":"still running"}'
    })
    talk.model("Yes?").hear().tell({ _tag: "ToolEnded", id: "tool_1_1", result: "done" })
    assert.deepInclude(historyOf(talk.state), { role: "tool", id: "tool_1_1", name: "book", result: "done" })
    assert.strictEqual(talk.state.generations, 3)
  })

  it("are at most eight a turn; then the model is asked without them", () => {
    const talk = greeted().callee("Loop")
    for (let i = 1; i <= 8; i++) {
      talk.tools(["again", {}]).take()
      talk.tell({ _tag: "ToolEnded", id: `tool_${i}_1`, result: "{}" })
    }
    assert.deepInclude(talk.take(), { _tag: "Generate", generation: 9, tools: false })
  })

  it("answer once: a second result is dropped", () => {
    const talk = greeted().callee("Do").tools(["act", {}])
    talk.tell({ _tag: "ToolEnded", id: "tool_1_1", result: "a" }).take()
    talk.tell(
      { _tag: "ToolEnded", id: "tool_1_1", result: "b" },
      { _tag: "ToolEnded", id: "none", result: "c" }
    )
    assert.deepStrictEqual(tags(talk), [])
    assert.strictEqual(talk.state.tools["tool_1_1"]!.result, "a")
  })

  it("of the platform: hang up after the goodbye was heard", () => {
    const talk = greeted().callee("Bye")
    talk.tell({ _tag: "Delta", generation: 1, text: "Goodbye then." }).tools(["end_call", {}])
    assert.deepStrictEqual(
      tags(talk).filter((tag) => tag === "End"),
      []
    )
    talk.hear()
    assert.deepStrictEqual(talk.take(), [{ _tag: "End", token: "agent_hangup" }])
  })

  it("of the platform: a transfer to a number of the list alone", () => {
    const talk = greeted()
      .callee("A person please")
      .tools(["transfer", { to: "+19995550000" }])
    assert.isNull(talk.state.closing)
    talk.tools(["transfer", { to: "+14155550100" }])
    assert.deepInclude(talk.take(), { _tag: "End", token: '{"transfer":"+14155550100"}' })
  })

  it("of the platform: do not call, in words that say nothing else too, as soon as they are said", () => {
    assert.deepStrictEqual(tags(greeted().callee("Stop, please.")), ["DoNotCall", "Generate"])
    assert.notInclude(tags(greeted().callee("Stop by at nine.")), "DoNotCall")
  })

  it("of the platform: digits, do not call, and arguments that are no JSON", () => {
    const talk = greeted()
      .callee("Press 1")
      .tools(["send_digits", { digits: "1w2" }], ["do_not_call", {}])
    const asked = talk.take()
    assert.deepInclude(asked, { _tag: "SendDigits", digits: "1w2" })
    assert.deepInclude(asked, { _tag: "DoNotCall" })
    talk.tell({ _tag: "ToolsAsked", generation: 2, calls: [{ name: "send_digits", arguments: "{nonsense" }] })
    assert.include(talk.state.tools["tool_2_1"]!.result, "digits must be")
  })
})

describe("a voicemail", () => {
  it("is hung up on", () => {
    const talk = greeted().tell({ _tag: "AnsweredBy", who: "machine" })
    assert.deepStrictEqual(talk.take(), [{ _tag: "End", token: "voicemail" }])
  })

  it("is left a message after its announcement", () => {
    const voicemail = { action: "leave_message", message: "Please call back." } as const
    const talk = greeted({ voicemail }).tell({ _tag: "AnsweredBy", who: "machine" })
    assert.deepStrictEqual(tags(talk), [])
    talk.callee("Please leave a message after the tone").pass(5_000).tell({ _tag: "MessageEnded" })
    assert.strictEqual(talk.said(), "Please call back.")
    talk.hear().tell({ _tag: "Closed", reason: "ended" })
    assert.deepInclude(talk.state.over, { reason: "voicemail" })
  })

  it("is left a message even when nothing tells of its announcement's end", () => {
    const voicemail = { action: "leave_message", message: "Please call back." } as const
    const talk = greeted({ voicemail }).tell({ _tag: "AnsweredBy", who: "machine" }).pass(30_000)
    assert.strictEqual(talk.said(), "Please call back.")
  })
})

describe("a model that fails", () => {
  it("is asked once more, then the agent apologises and hangs up", () => {
    const talk = greeted().callee("Hello?").tell({ _tag: "GenerationFailed", generation: 1, message: "503" })
    assert.deepStrictEqual(tags(talk), ["Generate", "Generate"])
    talk.tell({ _tag: "GenerationFailed", generation: 2, message: "503" })
    assert.include(talk.said(), "I am sorry")
    talk.hear().tell({ _tag: "Closed", reason: "ended" })
    assert.deepInclude(talk.state.over, { reason: "agent_error" })
  })

  it("and one that says nothing counts as one that fails", () => {
    const talk = greeted().callee("Hello?").tell({ _tag: "Generated", generation: 1 })
    assert.strictEqual(talk.state.generation?.id, 2)
  })

  it("never leaves the callee in silence for more than 10 s", () => {
    const talk = greeted().callee("Hello?")
    talk.take()
    talk.pass(4_000)
    assert.strictEqual(talk.said(), "One moment. ")
    talk.pass(12_000)
    assert.include(talk.said(), "I am sorry")
  })
})

describe("a line that breaks", () => {
  it("may come back: the agent says so and answers what was left", () => {
    const talk = greeted().callee("Tell me").model("First this, then that.")
    talk.tell({ _tag: "Played", text: "First this," }, { _tag: "Closed", reason: "dropped" }).take()
    talk.pass(1_500).tell({ _tag: "Connected" })
    assert.strictEqual(talk.said(), "Sorry, I lost you for a moment.")
    talk.hear()
    assert.deepStrictEqual(tags(talk), ["Generate"])
    assert.deepInclude(historyOf(talk.state), { role: "agent", text: "First this,", calls: [] })
  })

  it("and does not within 30 s is the carrier's fault", () => {
    const talk = greeted().tell({ _tag: "Closed", reason: "dropped" }).pass(30_000)
    assert.deepInclude(talk.state.over, { reason: "carrier_error" })
  })

  it("for good is told by the carrier's code", () => {
    const talk = greeted().tell({ _tag: "LineError", code: "64106", message: "voice", fatal: true })
    assert.deepInclude(talk.state.over, { reason: "carrier_error", error_code: "64106" })
  })
})

describe("a callee who hangs up", () => {
  it("ends it, whatever was under way", () => {
    const talk = greeted().callee("Bye").tell({ _tag: "Closed", reason: "hangup" })
    assert.deepInclude(talk.state.over, { reason: "user_hangup" })
    assert.deepInclude(talk.take(), { _tag: "CancelGeneration", generation: 1 })
    assert.isNull(talk.timer)
  })

  it("counts as heard what was said until the line dropped the rest, on a line that does not tell", () => {
    const line = { ...settings.line, reportsPlayout: false }
    const talk = new Talk({ first_message: "One two three four five six seven eight nine.", line })
    talk.pass(400).tell({ _tag: "Connected" }).pass(1_300).tell({ _tag: "Interrupted", heard_ms: null })
    talk.pass(1_500).callee("Stop")
    const [turn] = talk.state.turns
    assert.strictEqual(turn?.role === "agent" ? turn.heard : null, "One two three")
  })

  it("counts nothing as heard that was made after the line dropped the rest, on a line that does not tell", () => {
    const line = { ...settings.line, reportsPlayout: false }
    const talk = new Talk({ first_message: "", max_call_length: 6, line })
    talk.pass(400).tell({ _tag: "Connected" }).pass(5_800).tell({ _tag: "Interrupted", heard_ms: null })
    talk.model("One thing, another.").pass(1_000)
    const [turn] = talk.state.turns.filter(({ role }) => role === "agent")
    assert.strictEqual(turn?.role === "agent" ? turn.heard.trim() : null, "One moment.")
  })
})
