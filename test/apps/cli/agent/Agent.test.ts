import { Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { agent as example, agentVersion } from "../../../../adapters/http/contract/Examples.ts"
import { temporaryFolder } from "../../../adapters/recordings/TemporaryFolder.ts"
import { json, serving } from "../serving.ts"

/** A server that has one agent, and the bodies of the requests that change something. */
const withAgent = (fields: object = {}) =>
  Effect.map(
    serving(({ path }, response) => {
      const found = { ...example, ...fields }
      if (/versions(\?|$)/.test(path)) {
        return json(response, { data: [agentVersion], pagination: { limit: 100, offset: 0, total: 1 } })
      }
      if (/versions\/\d+$/.test(path)) return json(response, agentVersion)
      if (path.endsWith("publish")) return json(response, { ...found, published: true, version: 1 })
      if (path.includes("?")) {
        return json(response, { data: [found], pagination: { limit: 100, offset: 0, total: 1 } })
      }
      return json(response, found)
    }),
    (server) => ({
      ...server,
      bodies: () =>
        server.requests
          .filter(({ method }) => method !== "GET")
          .map(({ body, method, path }) => [
            method,
            path,
            body.length === 0 ? null : (JSON.parse(body.toString()) as unknown)
          ])
    })
  )

const file = Effect.fnUntraced(function* (name: string, content: unknown) {
  const path = join(yield* temporaryFolder, name)
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
  return path
})

describe("agent create", () => {
  it.scopedLive("sends what was given, from options and files, and nothing else", () =>
    Effect.gen(function* () {
      const { bodies, run } = yield* withAgent()
      const tools = [{ name: "order", description: "d", parameters: {}, url: "https://example.com" }]
      const questions = [{ name: "when", description: "When?", type: "string" }]
      const transfer = ["--transfer", "+14155550100=Front desk", "--transfer", "+14155550101=Sales"]
      const made = yield* run(
        "agent",
        "create",
        "--name",
        "Visits",
        "--language",
        "de-DE",
        "--max-call-length",
        "300",
        "--prompt-file",
        yield* file("prompt.txt", "You confirm\nthe visit of {{name}}."),
        "--model",
        "small",
        "--temperature",
        "0.2",
        "--voicemail-message",
        "Call us back.",
        "--nudge",
        "Hallo?",
        "--nudge",
        "Sind Sie da?",
        "--interruptible",
        "speech",
        ...transfer,
        "--backchannel",
        "mhm",
        "--hints",
        "Grün, Visite",
        "--qualified-when",
        "It was confirmed.",
        "--tools",
        yield* file("tools.json", tools),
        "--questions",
        yield* file("questions.json", questions)
      )
      assert.strictEqual(made.code, 0, made.err)
      assert.include(made.err, `Next: outdial agent publish ${example.id}`)
      assert.deepStrictEqual(bodies(), [
        [
          "POST",
          "/v0/agents",
          {
            name: "Visits",
            prompt: "You confirm\nthe visit of {{name}}.",
            language: "de-DE",
            max_call_length: 300,
            model: { name: "small", temperature: 0.2 },
            tools,
            transfers: [
              { to_number: "+14155550100", description: "Front desk" },
              { to_number: "+14155550101", description: "Sales" }
            ],
            voicemail: { action: "leave_message", message: "Call us back." },
            nudge: ["Hallo?", "Sind Sie da?"],
            interruptible: "speech",
            backchannels: ["mhm"],
            transcription: { provider: null, model: null, hints: "Grün, Visite" },
            review: { questions, qualified_when: "It was confirmed." }
          }
        ]
      ])
    })
  )

  it.scopedLive("takes a file whose fields the options change", () =>
    Effect.gen(function* () {
      const { bodies, run } = yield* withAgent()
      const path = yield* file("agent.json", {
        name: "Visits",
        prompt: "You call.",
        transcription: { provider: "Deepgram", model: null, hints: null }
      })
      yield* run("agent", "create", "--file", path, "--name", "Others", "--hints", "Outdial")
      assert.deepStrictEqual(bodies()[0]![2], {
        name: "Others",
        prompt: "You call.",
        transcription: { provider: "Deepgram", model: null, hints: "Outdial" }
      })
    })
  )

  it.scopedLive("says what is wrong with an option or a file, and asks nothing", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* withAgent()
      const create = (...args: ReadonlyArray<string>) => run("agent", "create", "--name", "Visits", ...args)
      const path = yield* file("agent.json", "[]")
      for (const [args, message] of [
        [["--transfer", "Front desk"], "--transfer must be a number and who answers"],
        [["--voicemail", "sing"], "--voicemail must be one of hang_up, leave_message, continue"],
        [["--interruptible", "no"], "--interruptible must be one of any, speech, none"],
        [["--temperature", "3"], "--temperature must be"],
        [["--file", path], `${path} must hold an object with fields of an agent as JSON`],
        [["--tools", `${path}x`], "there is no such file or folder"]
      ] as const) {
        const { code, err } = yield* create(...args)
        assert.isAbove(code, 0)
        assert.include(err, message)
      }
      assert.isEmpty(requests)
    })
  )
})

describe("agent update", () => {
  it.scopedLive("leaves what was not named of a field as it was", () =>
    Effect.gen(function* () {
      const review = { questions: [], qualified_when: "Once it is confirmed." }
      const { bodies, run } = yield* withAgent({ review, model: { name: "large", temperature: null } })
      const questions = [{ name: "when", description: "When?", type: "string" }]
      const path = yield* file("questions.json", questions)
      const ran = yield* run("agent", "update", "agent_1", "--questions", path, "--temperature", "0")
      assert.strictEqual(ran.code, 0, ran.err)
      assert.deepStrictEqual(bodies(), [
        [
          "PATCH",
          "/v0/agents/agent_1",
          {
            model: { name: "large", temperature: 0 },
            review: { questions, qualified_when: "Once it is confirmed." }
          }
        ]
      ])
    })
  )
})

describe("agent versions", () => {
  it.scopedLive("are published, listed and shown, and an older one is published again", () =>
    Effect.gen(function* () {
      const { bodies, run } = yield* withAgent()
      const ran = Effect.fnUntraced(function* (...args: ReadonlyArray<string>) {
        const { code, err, out } = yield* run("agent", ...args)
        assert.strictEqual(code, 0, err)
        return out
      })
      assert.strictEqual(yield* ran("publish", "agent_1"), "Agent agent_1: version 1.\n")
      yield* ran("publish", "agent_1", "--number", "1")
      yield* ran("unpublish", "agent_1")
      assert.deepStrictEqual(
        bodies().map(([, path]) => path),
        [
          "/v0/agents/agent_1/publish",
          "/v0/agents/agent_1/versions/1/publish",
          "/v0/agents/agent_1/unpublish"
        ]
      )
      assert.include(yield* ran("versions", "agent_1"), example.name)
      assert.include(yield* ran("show", "agent_1", "--number", "1"), example.prompt)
      assert.match(yield* ran("list", "--published", "no"), /not published/)
      assert.include(yield* ran("show", "agent_1"), example.prompt)
      assert.deepStrictEqual(JSON.parse(yield* ran("show", "agent_1", "--json")), example)
    })
  )
})
