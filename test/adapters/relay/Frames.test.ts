import { assert, describe, it } from "@effect/vitest"
import { closedBy, mostBytes, read, write } from "../../../adapters/relay/Frames.ts"
import type { LineEvent } from "../../../core/model/conversations/Speech.ts"
import { transcriptOf } from "../../../core/model/conversations/Transcript.ts"
import { settings, Talk } from "../../core/model/conversations/Talk.ts"

const info = (name: string, value: string) => JSON.stringify({ type: "info", name, value })
const prompt = (voicePrompt: string, last: boolean) =>
  JSON.stringify({ type: "prompt", voicePrompt, lang: "en-US", last })
const setup = JSON.stringify({
  type: "setup",
  sessionId: "VX1",
  accountSid: "AC1",
  callSid: "CA1",
  parentCallSid: "",
  from: "+14155550100",
  to: "+14155550123",
  direction: "outbound-api",
  callStatus: "RINGING",
  customParameters: {}
})

/** Tells a talk what frames say, as the process that holds its socket would. */
const receive = (talk: Talk, ...frames: ReadonlyArray<string>): Talk => {
  for (const frame of frames) {
    const told = read(frame)
    if (told === null) continue
    talk.tell(told._tag === "Setup" ? ({ _tag: "Connected" } satisfies LineEvent) : told)
  }
  return talk
}

const sent = (talk: Talk) =>
  talk
    .take()
    .flatMap((command) =>
      command._tag === "Say" || command._tag === "End" || command._tag === "SendDigits"
        ? [write(command)]
        : []
    )

const tokens = (frames: ReadonlyArray<string>) =>
  frames.map((frame) => (JSON.parse(frame) as { readonly token?: string }).token ?? "").join("")

describe("a relay's frames", () => {
  it("greet: setup, the greeting's tokens, playout by clause", () => {
    const talk = receive(new Talk(), setup)
    const frames = sent(talk)
    assert.strictEqual(tokens(frames), "Hello, this is Ada.")
    assert.deepInclude(JSON.parse(frames.at(-1)!), { type: "text", token: "", last: true })
    receive(talk, info("agentSpeaking", "on"), info("tokensPlayed", "Hello,"))
    receive(talk, info("tokensPlayed", " this is Ada."), info("agentSpeaking", "off"))
    assert.strictEqual(transcriptOf(talk.state)[0]!.text, "Hello, this is Ada.")
    assert.isNull(talk.state.cycle)
  })

  it("interrupt: what was played counts once, and everything queued is gone", () => {
    const talk = receive(new Talk(), setup, info("agentSpeaking", "on"))
    receive(
      talk,
      info("clientSpeaking", "on"),
      info("tokensPlayed", "Hello,"),
      JSON.stringify({
        type: "interrupt",
        utteranceUntilInterrupt: "Hello,",
        durationUntilInterruptMs: "640"
      }),
      prompt("Who", false),
      info("agentSpeaking", "off"),
      prompt("Who is this?", true)
    )
    const [turn, callee] = transcriptOf(talk.state)
    assert.deepInclude(turn, { text: "Hello,", generated: "Hello, this is Ada.", interrupted: true })
    assert.deepInclude(callee, { role: "callee", text: "Who is this?" })
    assert.strictEqual(talk.state.generation?.id, 1)
  })

  it("take a digit during the greeting before its interrupt", () => {
    const talk = receive(new Talk(), setup, info("agentSpeaking", "on"))
    receive(
      talk,
      JSON.stringify({ type: "dtmf", digit: "5" }),
      info("tokensPlayed", "Hello,"),
      JSON.stringify({ type: "interrupt", utteranceUntilInterrupt: "Hello,", durationUntilInterruptMs: 500 })
    )
    talk.pass(2_000)
    assert.deepInclude(transcriptOf(talk.state).at(-1), { role: "callee", text: "5", digits: true })
    assert.strictEqual(talk.state.generation?.id, 1)
  })

  it("mark a filler as what the next text may cut", () => {
    const talk = receive(
      new Talk(),
      setup,
      info("agentSpeaking", "on"),
      info("tokensPlayed", "Hello, this is Ada.")
    )
    receive(talk, info("agentSpeaking", "off"), prompt("Look it up", true))
    talk.take()
    talk.pass(4_000)
    assert.deepInclude(JSON.parse(sent(talk)[0]!), { token: "One moment. ", preemptible: true, last: false })
  })

  it("survive a drop: a fresh connection says so and goes on", () => {
    const talk = receive(
      new Talk(),
      setup,
      info("agentSpeaking", "on"),
      info("tokensPlayed", "Hello, this is Ada.")
    )
    receive(talk, info("agentSpeaking", "off"), prompt("Book a table", true))
    talk.model("For how many?").take()
    talk.tell(closedBy(1_006, false)).pass(1_200)
    receive(talk, setup.replace("RINGING", "IN_PROGRESS"))
    assert.strictEqual(tokens(sent(talk)), settings.lines.resumed)
    receive(talk, info("agentSpeaking", "on"), info("tokensPlayed", settings.lines.resumed))
    receive(talk, info("agentSpeaking", "off"))
    assert.strictEqual(talk.state.generation?.id, 2)
  })

  it("bear 88 s of silence when the timeouts are longer", () => {
    const talk = receive(
      new Talk({ idle_timeout_warning: 100, idle_timeout_end: 120 }),
      setup,
      info("agentSpeaking", "on"),
      info("tokensPlayed", "Hello, this is Ada."),
      info("agentSpeaking", "off")
    )
    talk.take()
    talk.pass(88_000)
    assert.deepStrictEqual(talk.take(), [])
    assert.isNull(talk.state.closing)
  })

  it("that are malformed tell nothing, ten in a row neither", () => {
    const malformed = [
      "",
      "nonsense",
      "[]",
      "null",
      "{}",
      '{"type":"prompt"}',
      '{"type":"prompt","voicePrompt":7,"last":true}',
      '{"type":"dtmf","digit":null}',
      '{"type":"info","name":"agentSpeaking","value":true}',
      '{"type":"unheard_of","value":"x"}',
      prompt("x".repeat(mostBytes), true)
    ]
    for (const frame of malformed) assert.isNull(read(frame), frame.slice(0, 40))
    const talk = receive(new Talk(), setup)
    const before = talk.state
    receive(talk, ...malformed)
    assert.strictEqual(talk.state, before)
  })

  it("tell of errors: a bad frame of ours is none of the call's, what the relay cannot mend ends it", () => {
    const error = (description: string) => JSON.stringify({ type: "error", description })
    const talk = receive(new Talk(), setup, error("64107: invalid message received"), error("out of order"))
    assert.isNull(talk.state.over)
    for (const code of ["64101", "64104", "64106", "64108", "64109"]) {
      const talk = receive(new Talk(), setup, error(`Error ${code}: it cannot go on`))
      assert.deepInclude(talk.state.over, { reason: "carrier_error", error_code: code })
    }
  })

  it("end: the token goes out, and comes back as it was", () => {
    assert.deepStrictEqual(JSON.parse(write({ _tag: "End", token: '{"transfer":"+14155550100"}' })), {
      type: "end",
      handoffData: '{"transfer":"+14155550100"}'
    })
    assert.deepStrictEqual(closedBy(1_000, true), { _tag: "Closed", reason: "ended" })
    assert.deepStrictEqual(closedBy(1_000, false), { _tag: "Closed", reason: "hangup" })
    assert.deepStrictEqual(closedBy(1_006, false), { _tag: "Closed", reason: "dropped" })
  })
})
