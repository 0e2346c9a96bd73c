import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as ChatStream from "../adapters/llm/ChatStream.ts"
import { say, serve } from "../adapters/llm/OpenAiServer.ts"
import { until } from "../Until.ts"
import * as Rig from "./Rig.ts"

const kills = 4
const plays = 20
const turns = 8

interface Suite {
  readonly id: string
}
interface Run {
  readonly id: string
  readonly status: string
  readonly counts: Readonly<Record<string, number>>
  readonly credits_used: number
  readonly results: ReadonlyArray<{ readonly status: string; readonly transcript: ReadonlyArray<unknown> }>
}
interface Entry {
  readonly kind: string
  readonly amount: number
  readonly reference: string | null
}

const answerTo = (name: string | undefined, nth: number) => {
  switch (name) {
    case "turn":
      return { text: `Line ${nth}`, hangs_up: false }
    case "scenarios":
      return { scenarios: [{ label: "Curious", instructions: "You ask why.", max_turns: turns }] }
    default:
      return { verdict: "pass", reasoning: "it was well done" }
  }
}

/** A model that takes its time and outlives the server: it answers in whatever form it is asked for. */
const model = serve((question) => {
  const { response_format, stream } = question.body
  const answer = answerTo(response_format?.json_schema.name, question.number + 1)
  const talk = ChatStream.stream(
    ChatStream.events.text(`Line ${question.number + 1}`),
    ChatStream.events.finish(),
    ChatStream.events.done
  )
  setTimeout(
    () => (stream === true ? talk(question as unknown as ChatStream.Asked) : say(question, answer)),
    100
  )
})

describe("a test run whose server is killed", () => {
  it.scopedLive(
    `${kills} times at random moments goes on where it stood, and pays for each turn once`,
    () =>
      Effect.gen(function* () {
        const { asked, url } = yield* model
        const { agent_id, all, kill, request } = yield* Rig.make({
          OUTDIAL_LLM_URL: url,
          OUTDIAL_LLM_MODEL: "slow",
          OUTDIAL_TEST_CONCURRENCY: "4"
        })
        const suite = yield* request("POST", "/agent-test-suites/generate", { agent_id, count: 1 })
        const { id } = suite.body as Suite
        const scenario = { label: "Curious", instructions: "You ask why.", runs: plays, max_turns: turns }
        yield* request("PATCH", `/agent-test-suites/${id}`, { scenarios: [scenario] })
        const started = yield* request("POST", "/agent-test-runs", { suite_id: id })
        const run = started.body as Run
        for (let i = 0; i < kills; i++) {
          const enough = asked.length + 5 + Math.floor(Math.random() * 30)
          yield* until(
            "the model is asked",
            Effect.sync(() => asked.length >= enough)
          )
          yield* kill
        }
        const read = Effect.map(request("GET", `/agent-test-runs/${run.id}`), ({ body }) => body as Run)
        const isOver = Effect.map(read, ({ status }) => status !== "queued" && status !== "running")
        yield* until("the run is over", Effect.delay(isOver, "100 millis"), "2 minutes")
        const ended = yield* read
        const said = ended.results.reduce((sum, { transcript }) => sum + transcript.length, 0)
        assert.strictEqual(ended.status, "completed")
        assert.deepStrictEqual(ended.counts, { total: plays, passed: plays, failed: 0, errored: 0 })
        assert.deepStrictEqual(
          ended.results.filter(({ transcript }) => transcript.length !== turns),
          []
        )
        const entries = yield* all<Entry>(`/credits/ledger?reference=${run.id}`)
        const paid = entries.reduce((sum, { amount }) => sum - amount, 0)
        assert.deepStrictEqual([ended.credits_used, paid], [said, said])
        assert.isAtLeast(
          asked.length,
          said - plays,
          "the model was asked for every turn but the first messages"
        )
      }),
    300_000
  )
})
