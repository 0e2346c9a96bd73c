import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { connect, elsewhere, mostCharacters, transfer } from "../../../adapters/twilio/Twiml.ts"
import type { DialRequest } from "../../../core/model/calls/DialRequest.ts"
import { dialRequest } from "../../contracts/CallDialer.ts"

const conversation = "wss://conversation.example/relay?a=1&b=2"
const agentUrl = `https://voice.example/callbacks/twilio/agent?workspace_id=ws_1&seal=${"s".repeat(43)}`

const to = (agent: Partial<DialRequest["agent"]>) => {
  const request = dialRequest("att_1", "+15550001234")
  return elsewhere({ ...request, agent: { ...request.agent, ...agent } }, conversation, agentUrl)
}

const unescaped = (text: string) =>
  text
    .replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")

/** Source: XML 1.0, production 2. */
const writable = (symbol: string) => {
  const code = symbol.codePointAt(0)!
  return (code >= 0x20 && code !== 0xfffe && code !== 0xffff) || "\t\n\r".includes(symbol)
}

/** What an XML parser reads: attribute values, in which bare line breaks and tabs become spaces. */
const attributesOf = (element: string) =>
  Object.fromEntries(
    [...element.matchAll(/ (\w+)="([^"<]*)"/g)].map(([, name, value]) => [
      name,
      unescaped(value!.replaceAll(/[\n\r\t]/g, " "))
    ])
  )

const read = (document: string) => {
  const shape =
    /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Connect><ConversationRelay([^>]*)>(.*)<\/ConversationRelay><\/Connect><\/Response>$/s
  const [, relay, children] = shape.exec(document) ?? assert.fail("not the shape that is expected")
  const parameters = [...children!.matchAll(/<Parameter([^>]*)\/>/g)].map(([, each]) => attributesOf(each!))
  assert.strictEqual(children!.replaceAll(/<Parameter[^>]*\/>/g, ""), "")
  return {
    relay: attributesOf(relay!),
    parameters: Object.fromEntries(parameters.map(({ name, value }) => [name, value]))
  }
}

describe("the TwiML of a dial", () => {
  it("connects to the conversation, with what it needs to know", () => {
    assert.deepStrictEqual(read(to({})), {
      relay: {
        url: conversation,
        language: "en-US",
        voice: "aria",
        welcomeGreeting: "Hello, this is Outdial."
      },
      parameters: {
        workspace_id: "ws_1",
        call_id: "call_of_att_1",
        session_id: "sess_of_att_1",
        attempt_id: "att_1",
        agent_id: "agent_1",
        voice: "aria",
        language: "en-US",
        idle_timeout_warning: "5",
        idle_timeout_end: "8",
        max_call_length: "3600",
        first_message: "Hello, this is Outdial.",
        prompt: "You are a friendly caller."
      }
    })
  })

  it("names no voice, language or greeting that the agent has not", () => {
    assert.deepStrictEqual(read(to({ voice: "", language: "", first_message: "" })).relay, {
      url: conversation
    })
    assert.notProperty(read(to({ voice: "default" })).relay, "voice")
  })

  it("carries any text that XML can write, line breaks and all, and leaves out what it cannot", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.fullUnicodeString({ maxLength: 200 }), (prompt) => {
        const expected = Array.from(prompt).filter(writable).join("")
        assert.strictEqual(read(to({ prompt })).parameters["prompt"], expected)
      }),
      { examples: [["a\r\n\tb & <c> \"d\" 'e' ]]>"], ["\0\x1b[31m\uFFFE"]] }
    )
    assert.strictEqual(read(to({ prompt: "half \uD83D a pair" })).parameters["prompt"], "half \uFFFD a pair")
  })

  it("is never longer than Twilio takes: the prompt is fetched first, then the first message", () => {
    const agent = {
      prompt: FastCheck.string({ maxLength: 6_000 }),
      first_message: FastCheck.string({ maxLength: 6_000 }),
      voice: FastCheck.string({ maxLength: 200 }),
      language: FastCheck.string({ maxLength: 35 })
    }
    FastCheck.assert(
      FastCheck.property(FastCheck.record(agent), (agent) => {
        const document = to(agent)
        assert.isAtMost(document.length, mostCharacters)
        const { parameters, relay } = read(document)
        const { agent_url, first_message, prompt } = parameters
        if (prompt !== undefined) assert.isUndefined(agent_url)
        else assert.strictEqual(agent_url, agentUrl)
        if (first_message === undefined) {
          assert.isUndefined(prompt)
          assert.isUndefined(relay["welcomeGreeting"])
        }
      })
    )
    assert.deepStrictEqual(Object.keys(read(to({ prompt: "x".repeat(4_000) })).parameters).slice(-2), [
      "first_message",
      "agent_url"
    ])
    assert.deepStrictEqual(Object.keys(read(to({ first_message: "x".repeat(4_000) })).parameters).slice(-2), [
      "max_call_length",
      "agent_url"
    ])
  })
})

describe("the TwiML of a dial whose conversation is held here", () => {
  const places = {
    url: "wss://voice.example/callbacks/twilio/conversation/a.b",
    action: "https://voice.example/callbacks/twilio/after?workspace_id=ws_1&attempt_id=att_1"
  }
  const here = (agent: Partial<DialRequest["agent"]>) =>
    connect({ ...dialRequest("att_1", "+15550001234").agent, ...agent }, places)
  const relayOf = (document: string) => {
    const shape =
      /^<\?xml version="1.0" encoding="UTF-8"\?><Response><Connect([^>]*)><ConversationRelay([^>]*)\/><\/Connect><\/Response>$/
    const [, connected, relay] = shape.exec(document) ?? assert.fail("not the shape that is expected")
    assert.deepStrictEqual(attributesOf(connected!), { action: places.action })
    return attributesOf(relay!)
  }
  const always = {
    url: places.url,
    interruptible: "any",
    reportInputDuringAgentSpeech: "any",
    dtmfDetection: "true",
    partialPrompts: "true",
    events: "speaker-events tokens-played"
  }

  it("asks the relay for all that the conversation goes by, and says nothing itself", () => {
    assert.deepStrictEqual(relayOf(here({})), { ...always, voice: "aria", language: "en-US" })
    assert.notInclude(here({}), "You are a friendly caller.")
  })

  it("sends nothing for what is not set", () => {
    const unset = { provider: null, model: null, hints: null }
    const agent = { voice: "default", language: "", transcription: unset, speech: { provider: null } }
    assert.deepStrictEqual(relayOf(here(agent)), always)
  })

  it("passes the agent's providers and hints on", () => {
    const agent = {
      interruptible: "speech",
      transcription: { provider: "Deepgram", model: "nova-3", hints: "Outdial, <Ada>" },
      speech: { provider: "ElevenLabs" }
    } as const
    assert.deepInclude(relayOf(here(agent)), {
      interruptible: "speech",
      transcriptionProvider: "Deepgram",
      speechModel: "nova-3",
      hints: "Outdial, <Ada>",
      ttsProvider: "ElevenLabs"
    })
  })

  it("leaves hints out that would make it too long", () => {
    const hints = "<".repeat(1_000)
    const document = here({ transcription: { provider: null, model: null, hints } })
    assert.isAtMost(document.length, mostCharacters)
    assert.notProperty(relayOf(document), "hints")
  })

  it("transfers with the caller ID", () => {
    assert.include(
      transfer("+14155550199", "+14155550100"),
      '<Response><Dial callerId="+14155550100">+14155550199</Dial></Response>'
    )
  })
})
