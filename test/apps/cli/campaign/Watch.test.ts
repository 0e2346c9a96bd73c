import { Effect, Fiber, Schema } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { barOf } from "../../../../apps/cli/campaign/Viewer.ts"
import { CampaignRecord } from "../../../../core/model/campaigns/Campaign.ts"
import { type Got, json, key, refusal, screenOf, serving } from "../serving.ts"
import { campaign, progress } from "./record.ts"

const isProgress = ({ path }: Got) => path === "/v0/campaigns/camp_1/progress?interval=day"

/** Answers with one campaign after the other, and with the last of them from then on. */
const telling = (
  states: ReadonlyArray<unknown>,
  options: Parameters<typeof serving>[1] = {},
  outlook: Parameters<typeof progress>[0] = {}
) => {
  let nth = 0
  return serving((got, response) => {
    if (isProgress(got)) return json(response, progress(outlook))
    nth += 1
    json(response, states[Math.min(nth, states.length) - 1])
  }, options)
}

const ended = { status: "completed", completed_at: "2026-02-03T05:05:06.000Z" }
const states = [
  campaign({ status: "scheduled" }),
  campaign({}, { completed: 2, in_progress: 3, answered: 1, retry_scheduled: 1 }),
  campaign({}, { completed: 2, in_progress: 3, answered: 1, retry_scheduled: 1 }),
  campaign({ status: "paused", status_reason: "insufficient_credits" }, { completed: 4, answered: 2 }),
  campaign({ status: "paused", status_reason: "insufficient_credits" }, { completed: 5, answered: 2 }),
  campaign(ended, { completed: 9, failed: 1, attempts: 12, answered: 8 })
]
const watch = ["campaign", "watch", "camp_1", "--interval", "0.1"]

describe("campaign watch", () => {
  it.scopedLive("writes a line at every change, and the result, where there is no terminal", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* telling(states)
      const ran = yield* run(...watch)
      assert.strictEqual(ran.code, 0)
      assert.strictEqual(ran.err, "")
      const lines = ran.out.trimEnd().split("\n")
      for (const line of lines.slice(0, -1)) assert.match(line, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ  /)
      assert.deepStrictEqual(
        lines.map((line) => line.replace(/^[\d-]+ [\d:]+Z +/, "")),
        [
          "scheduled  0/10 done  0 in progress  0 answered",
          "running  2/10 done  3 in progress  1 answered  1 to retry",
          "paused: the workspace's credits are used up (insufficient_credits)  4/10 done  0 in progress  2 answered",
          "paused: the workspace's credits are used up (insufficient_credits)  5/10 done  0 in progress  2 answered",
          "completed  10/10 done  0 in progress  8 answered",
          "completed. 10 recipients: 9 completed, 1 failed, 0 skipped; 12 attempts, 8 answered."
        ]
      )
      const records = requests.filter((got) => !isProgress(got))
      assert.strictEqual(records.length, states.length)
      assert.isTrue(records.every(({ method, path }) => `${method} ${path}` === "GET /v0/campaigns/camp_1"))
      // Two of the states have a recipient to try again.
      assert.strictEqual(requests.length - records.length, 2)
    })
  )

  it.scopedLive("says when the next retry is due, and does not expect the end before it", () =>
    Effect.gen(function* () {
      const next_retry_at = new Date(Date.now() + 11.6 * 60_000).toISOString()
      const waiting = campaign({}, { completed: 9, pending: 0, retry_scheduled: 1 })
      const { run } = yield* telling([waiting, campaign(ended, { completed: 10 })], {}, { next_retry_at })
      const [first] = (yield* run(...watch)).out.split("\n")
      assert.match(
        first!,
        /running  9\/10 done  0 in progress  ETA 11m  0 answered  1 to retry, next in 11m$/
      )
    })
  )

  it.scopedLive("counts the deliveries of a campaign that sends messages", () =>
    Effect.gen(function* () {
      const series = [
        { at: "2026-02-03T00:00:00.000Z", attempts: 5, outcomes: { delivered: 3, failed: 2 } },
        { at: "2026-02-04T00:00:00.000Z", attempts: 4, outcomes: { delivered: 4 } }
      ]
      const sent = campaign({ ...ended, channel: "msg" }, { completed: 8, failed: 2, attempts: 10 })
      const { run } = yield* telling([sent], {}, { series })
      const { out } = yield* run(...watch)
      assert.include(out, "10/10 done  0 in progress  7 delivered\n")
      assert.include(out, "10 attempts, 7 delivered.")
      assert.notInclude(out, "answered")
    })
  )

  it.scopedLive("writes the record as a line of JSON at every change, as the server sent it", () =>
    Effect.gen(function* () {
      const raw = states.map((state) =>
        JSON.stringify(state).replace('"metadata":null', '"metadata":{\n  "n": 1.0,\r\n "s":"a\\nb"}')
      )
      const { run } = yield* telling(raw)
      const { code, err, out } = yield* run(...watch, "--json")
      assert.strictEqual(`${code}${err}`, "0")
      const changes = [0, 1, 3, 4, 5]
      assert.deepStrictEqual(
        out.trimEnd().split("\n"),
        changes.map((i) => raw[i]!.replace(/[\r\n]+/g, " "))
      )
      assert.include(out, '"n": 1.0')
    })
  )

  it.scopedLive("ends with 1 when the campaign failed or was cancelled, and says why", () =>
    Effect.gen(function* () {
      for (const [status, status_reason, reason] of [
        ["failed", "no_recipients", "it has no recipient"],
        ["cancelled", "user", "by its owner"]
      ] as const) {
        const { run } = yield* telling([campaign(), campaign({ status, status_reason })])
        const ran = yield* run(...watch)
        assert.strictEqual(ran.code, 1)
        assert.strictEqual(ran.err, "")
        assert.include(ran.out, `\n${status}: ${reason} (${status_reason}). 10 recipients: `)
      }
    })
  )

  it.scopedLive("draws a bar over itself on a terminal, with a line for each new status", () =>
    Effect.gen(function* () {
      const { screen, shown, written } = screenOf(100)
      const { run } = yield* telling(states, { columns: 100, screen })
      const ran = yield* run(...watch)
      assert.strictEqual(ran.code, 0)
      assert.deepStrictEqual(
        ran.out
          .trimEnd()
          .split("\n")
          .map((line) => line.replace(/^[\d-]+ [\d:]+Z +/, "")),
        [
          "scheduled",
          "running",
          "paused: the workspace's credits are used up (insufficient_credits)",
          "completed. 10 recipients: 9 completed, 1 failed, 0 skipped; 12 attempts, 8 answered."
        ]
      )
      const drawn = written.join("").split("\r\u001b[K")
      assert.isTrue(
        drawn.some((line) =>
          /^running \[=+> +\]  20%   2\/10  3 in progress  1 answered  1 to retry$/.test(line)
        )
      )
      assert.isTrue(drawn.every((line) => line.length <= 99))
      assert.strictEqual(shown(), "")
    })
  )

  it.scopedLive("that is broken off leaves the screen clean and the campaign alone", () =>
    Effect.gen(function* () {
      const { awaitShown, screen, shown } = screenOf(80)
      const { requests, run } = yield* telling([campaign()], { columns: 80, screen })
      const said: Array<string> = []
      const running = yield* Effect.fork(
        Effect.onInterrupt(run(...watch), () => Effect.sync(() => void said.push(shown())))
      )
      yield* awaitShown(/running/)
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(said, [""])
      assert.isTrue(requests.every(({ method }) => method === "GET"))
    })
  )

  it.scopedLive("goes through an outage, says so once each way, and nothing of the key", () =>
    Effect.gen(function* () {
      const { run } = yield* serving((_, response, nth) => {
        if (nth === 2) return void response.socket!.destroy()
        if (nth === 3) return json(response, refusal("service_unavailable", "the server is starting"), 503)
        json(response, nth === 1 ? campaign() : campaign(ended))
      })
      const ran = yield* run(...watch)
      assert.strictEqual(ran.code, 0)
      assert.match(
        ran.err,
        /^Connection lost, trying again: the connection to http:\S+ was lost\.\nConnected again\.\n$/
      )
      assert.notInclude(ran.err + ran.out, key)
    })
  )

  it.scopedLive("asks once, and no more, for what is not there or not allowed", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) =>
        json(response, refusal("not_found", "no such campaign"), 404)
      )
      const ran = yield* run(...watch)
      assert.deepStrictEqual(ran, { code: 1, out: "", err: "outdial: no such campaign (not_found)\n" })
      assert.strictEqual(requests.length, 1)
      assert.strictEqual((yield* run("campaign", "watch", "camp_1", "--interval", "0")).code, 2)
    })
  )
})

describe("the bar of a campaign", () => {
  const decoded = Schema.decodeUnknownSync(CampaignRecord)
  const outlook = { nextRetry: null, delivered: 0 }
  const samples = [
    { at: 0, done: 0 },
    { at: 60_000, done: 5 }
  ]

  it("has a rate and a time to its end while it runs, and no such time while it is paused", () => {
    const running = barOf(
      decoded(campaign({}, { total: 30, completed: 4, skipped: 1, in_progress: 2 })),
      samples,
      60_000,
      outlook
    )
    assert.deepInclude(running, { label: "running", done: 5, total: 30 })
    assert.deepStrictEqual(running.facts, ["2 in progress", "ETA 5m", "0 answered", "5.0/min"])
    const paused = barOf(
      decoded(campaign({ status: "paused", status_reason: "user" }, { completed: 5 })),
      samples,
      60_000,
      outlook
    )
    assert.deepStrictEqual(paused.facts, ["0 in progress", "0 answered", "5.0/min"])
  })

  it("of a campaign without recipients is empty", () => {
    assert.deepInclude(barOf(decoded(campaign({ status: "draft" }, { total: 0 })), [], 0, outlook), {
      done: 0,
      total: 0
    })
  })
})
