import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { callees } from "../../../../adapters/http/contract/SimulationExamples.ts"
import { commandLine, documentOf, folder } from "../commandLine.ts"
import { json, serving } from "../serving.ts"

/** What is looked at of an answer. */
interface Answer {
  readonly starts_at: string
  readonly recipients: number
  readonly reached: { readonly p50: number }
  readonly credits: { readonly p50: number }
  readonly peak_calls: { readonly p50: number }
  readonly attempts_per_recipient: { readonly p50: number }
  readonly seeds: ReadonlyArray<{ readonly seed: number }>
}

const campaign = {
  name: "Spring",
  agent_id: "agent_01",
  max_concurrency: 10,
  call_config: { call_retry_config: { retry_count: 1, retry_not_picked: 30 } }
}

const csv = ["phone_number,name", ...Array.from({ length: 40 }, (_, i) => `+336${10_000_000 + i},P${i}`)]

const fixture = Effect.map(folder, (path) => {
  const write = (name: string, content: unknown) => {
    const file = join(path, name)
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content))
    return file
  }
  const files = [write("campaign.json", campaign), "--recipients", write("people.csv", csv.join("\n"))]
  // No server, no store, no key: nothing but the files.
  return { path, write, files, run: commandLine({ OUTDIAL_DATABASE_URL: "sqlite:/nowhere/x.db" }) }
})

const at = ["--starts-at", "2026-02-03T09:00:00Z"]

describe("outdial simulate", () => {
  it.scopedLive(
    "tells when a campaign is done, how many it reaches and what it costs, with percentiles",
    () =>
      Effect.gen(function* () {
        const { files, run } = yield* fixture
        const { code, err, out } = yield* run("simulate", ...files, ...at, "--seeds", "3")
        assert.deepStrictEqual([code, err], [0, ""])
        assert.match(out, /^RECIPIENTS {2}40$/m)
        assert.match(out, /^COMPLETED {3}3 of 3 seeds$/m)
        assert.match(
          out,
          /^FINISHES {4}p10 2026-02-03 [\d:]+Z, p50 2026-02-03 [\d:]+Z, p90 2026-02-03 [\d:]+Z$/m
        )
        for (const name of [
          "Duration",
          "Reached",
          "Attempts per recipient",
          "Most calls at one time",
          "Credits"
        ]) {
          assert.match(out, new RegExp(`^${name} +\\S`, "m"))
        }
      })
  )

  it.scopedLive("answers the same bytes for the same seed, as JSON and as a chart", () =>
    Effect.gen(function* () {
      const { files, path, run } = yield* fixture
      const svg = join(path, "charts", "chart.svg")
      const once = (seed: string) =>
        Effect.map(
          run("simulate", ...files, ...at, "--seeds", "2", "--seed", seed, "--json", "--svg", svg),
          (ran) => ({ ...ran, chart: readFileSync(svg, "utf8") })
        )
      const [first, second, other] = [yield* once("4"), yield* once("4"), yield* once("5")]
      assert.strictEqual(first.code, 0, first.err)
      assert.deepStrictEqual(second, first)
      assert.notStrictEqual(other.out, first.out)
      assert.match(first.chart, /^<svg xmlns[\s\S]*<title>Spring<\/title>[\s\S]*<\/svg>\n$/)
      const { attempts_per_recipient, recipients, seeds, starts_at } = documentOf<Answer>(first)
      assert.deepStrictEqual(
        [starts_at, recipients, seeds.map(({ seed }) => seed)],
        ["2026-02-03T09:00:00.000Z", 40, [4, 5]]
      )
      assert.isTrue(attempts_per_recipient.p50 >= 1 && attempts_per_recipient.p50 <= 2)
      assert.notMatch(first.out, /\+336|phone/)
    })
  )

  it.scopedLive("has callees behave as the model says, and the workspace as the campaign's file does", () =>
    Effect.gen(function* () {
      const { files, run, write } = yield* fixture
      const rates = { answered: 1, voicemail: 0, no_answer: 0, busy: 0, failed: 0 }
      const model = write("model.json", { rates: [rates], talk: { median_seconds: 61, spread: 0 } })
      const blocked = csv[1]!.split(",")[0]!
      const rich = write("rich.json", {
        ...campaign,
        workspace: { max_concurrency: 4, price_per_minute: 3, do_not_call: [blocked, "+33699999999"] }
      })
      const ran = yield* run(
        "simulate",
        rich,
        ...files.slice(1),
        ...at,
        "--seeds",
        "1",
        "--json",
        "--model",
        model
      )
      assert.strictEqual(ran.code, 0, ran.err)
      const { credits, peak_calls, reached } = documentOf<Answer>(ran)
      assert.deepStrictEqual([reached.p50, credits.p50, peak_calls.p50], [39, 39 * 2 * 3, 4])
    })
  )

  it.scopedLive("learns from the calls of a server how callees behave", () =>
    Effect.gen(function* () {
      const { files, write } = yield* fixture
      const { requests, run } = yield* serving((_, response) => json(response, callees))
      const model = write("model.json", { ring_seconds: 44 })
      const simulated = (...args: ReadonlyArray<string>) =>
        run("simulate", ...files, ...at, "--seeds", "2", "--learn", ...args)
      const ran = yield* simulated("camp_1", "--since", "2026-01-01T00:00:00Z", "--model", model, "--json")
      assert.strictEqual(ran.code, 0, ran.err)
      assert.strictEqual(
        requests[0]!.path,
        "/v0/callees?campaign_id=camp_1&since=2026-01-01T00%3A00%3A00.000Z"
      )
      const answer = documentOf<Answer & { readonly model: object; readonly learned: object }>(ran)
      assert.deepStrictEqual(answer.learned, callees.learned)
      assert.deepStrictEqual(answer.model, { ...callees.model, ring_seconds: 44 })
      assert.match((yield* simulated("all")).out, /^CALLEES +learned from 812 calls$/m)
      assert.strictEqual(requests[1]!.path, "/v0/callees")
    })
  )

  it.scopedLive("leaves out what an import would, and says so", () =>
    Effect.gen(function* () {
      const { files, run, write } = yield* fixture
      const people = write("bad.csv", [...csv, csv[1], "0612345678,x", "+1,y"].join("\n"))
      const ran = yield* run("simulate", files[0]!, "--recipients", people, ...at, "--seeds", "1", "--json")
      assert.strictEqual(ran.code, 0)
      assert.strictEqual(documentOf<Answer>(ran).recipients, 40)
      assert.include(ran.err, "3 rows are left out:")
      assert.include(ran.err, "row 42: the phone number is there already")
      assert.include(ran.err, "row 43: the phone number must have a leading +")
      assert.notMatch(ran.err, /612345678|\+336/)
    })
  )

  it.scopedLive(
    "says in a line what is wrong, with 1 for what a file holds and 2 for how it was called",
    () =>
      Effect.gen(function* () {
        const { files, run, write } = yield* fixture
        const fails = Effect.fnUntraced(function* (
          code: number,
          message: string,
          ...args: ReadonlyArray<string>
        ) {
          const ran = yield* run("simulate", ...args)
          assert.deepStrictEqual([ran.code, ran.out], [code, ""], ran.err)
          assert.include(ran.err, message)
          assert.strictEqual(ran.err.trim().split("\n").length, 1, ran.err)
        })
        const people = files.slice(1)
        yield* fails(2, "--recipients is required", files[0]!)
        yield* fails(2, "--seeds seeds must be an integer from 1 to 100", ...files, "--seeds", "0")
        yield* fails(2, "--starts-at must be a time such as", ...files, "--starts-at", "soon")
        yield* fails(1, "there is no such file", "nowhere.json", ...people)
        yield* fails(1, "it is not valid JSON", write("a.json", "{"), ...people)
        yield* fails(1, "agent_id is required", write("b.json", { name: "x" }), ...people)
        yield* fails(
          1,
          "workspace.max_concurrency must be",
          write("c.json", { ...campaign, workspace: { max_concurrency: 0 } }),
          ...people
        )
        yield* fails(
          1,
          "the rates of an hour must sum to 1",
          ...files,
          "--model",
          write("m.json", {
            rates: [{ answered: 1, voicemail: 1, no_answer: 0, busy: 0, failed: 0 }]
          })
        )
        yield* fails(
          1,
          "the file has no phone column",
          files[0]!,
          "--recipients",
          write("x.csv", "name\nA\n")
        )
        yield* fails(1, "it holds no recipient", files[0]!, "--recipients", write("y.csv", "phone\n"))
        yield* fails(1, "cannot be written", ...files, "--seeds", "1", "--svg", "/dev/null/x/chart.svg")
      })
  )
})
