import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { vi } from "vitest"
import {
  answer,
  busy,
  busyOnce,
  type Callee,
  CalleeFailed,
  Disposed,
  fail,
  type Fate,
  inDoubt,
  invalidNumber,
  makeTestPlatform,
  NeverIdle,
  noAnswer,
  reject,
  silent,
  StillWaiting,
  type TestPlatformOptions,
  TimeIsHeld,
  UnscriptedNumber,
  vanish,
  voicemail,
  inTurn
} from "../../../apps/testing/main.ts"
import { number, platform, rejection } from "./Rig.ts"

type Given = Effect.Effect.Success<ReturnType<typeof platform>>

const within = (
  name: string,
  run: (given: Given) => Promise<void>,
  options: Parameters<typeof platform>[0] = {}
) => it.scopedLive(name, () => Effect.flatMap(platform(options), (given) => Effect.promise(() => run(given))))

const once = { call_config: { call_retry_config: { retry_count: 0 } } }

describe("callees", () => {
  const fates: ReadonlyArray<readonly [string, Fate, outcome: string, sub_status: string | null]> = [
    ["answer", answer(), "answered", "user_hangup"],
    ["answer, the agent hanging up", answer({ hung_up_by: "agent" }), "answered", "agent_hangup"],
    ["answer for too long", answer({ seconds: 700 }), "answered", "max_call_length"],
    ["voicemail", voicemail(), "voicemail", "agent_hangup"],
    ["busy", busy(), "busy", null],
    ["noAnswer", noAnswer(), "no_answer", null],
    ["reject", reject(), "rejected", null],
    ["fail", fail({ code: "x1", message: "lines are down" }), "failed", "carrier_error"],
    ["invalidNumber", invalidNumber(), "failed", "invalid_number"],
    ["silent", silent(), "answered", "idle_timeout"],
    ["vanish", vanish(), "unknown", "in_doubt"],
    ["inDoubt", inDoubt(), "unknown", "in_doubt"]
  ]
  for (const [name, fate, outcome, sub_status] of fates) {
    within(`${name}: ${outcome}, ${sub_status}`, async ({ api, outdial, place }) => {
      outdial.callee(number, fate)
      const { call_id } = await place(number, once)
      await outdial.runUntilIdle()
      const call = await api.calls.get(call_id)
      assert.strictEqual(call.outcome, outcome)
      if (sub_status !== null) assert.strictEqual(call.sub_status, sub_status)
      assert.strictEqual(outdial.dialled.length, 1)
      if (name === "fail") assert.strictEqual(call.error?.message, "lines are down")
    })
  }

  within(
    "talk for as long as they are told, and leave a recording with audio",
    async ({ api, outdial, place }) => {
      outdial.callee(number, answer({ seconds: 42, rings: 7 }))
      const { call_id } = await place(number)
      await outdial.advance("7 seconds")
      const ringing = await api.calls.get(call_id)
      assert.strictEqual(ringing.status, "in_progress")
      await outdial.advance("42 seconds")
      const { completed_at, session_id } = await api.calls.get(call_id)
      assert.strictEqual(completed_at, "2026-01-05T15:00:49.000Z")
      await outdial.advance("2 seconds")
      const { data } = await api.recordings.list(session_id!)
      assert.strictEqual(data[0]?.duration_seconds, 42)
      const audio = await outdial.fetch(data[0]!.url!)
      assert.strictEqual((await audio.arrayBuffer()).byteLength, data[0]!.size_bytes)
    }
  )

  within("take turns dial by dial of each call", async ({ outdial, place }) => {
    outdial.callee(number, inTurn(busy(), noAnswer(), answer()))
    const call_config = { call_retry_config: { retry_count: 5, retry_busy: 1, retry_not_picked: 2 } }
    await place(number, { call_config })
    await outdial.advance("1 hour")
    await place(number, { call_config })
    await outdial.runUntilIdle()
    assert.deepStrictEqual(
      outdial.dialled.map(({ at, attempt_number }) => [at.slice(11, 19), attempt_number]),
      [
        ["15:00:00", 1],
        ["15:01:01", 2],
        ["15:03:31", 3],
        ["16:00:00", 1],
        ["16:01:01", 2],
        ["16:03:31", 3]
      ]
    )
  })

  within("are found by number, then by the pattern set last, then by *", async ({ api, outdial, place }) => {
    outdial.callee("*", noAnswer())
    outdial.callee("+1415*", busy())
    outdial.callee(/0199$/g, reject())
    outdial.callee(number, voicemail())
    outdial.callee("*0155", answer())
    const numbers = [number, "+14155550199", "+14155550144", "+14155550155", "+12125550188"]
    for (const each of numbers) await place(each, once)
    await outdial.runUntilIdle()
    const { data } = await api.calls.list()
    assert.deepStrictEqual(data.map(({ outcome }) => outcome).toReversed(), [
      "voicemail",
      "rejected",
      "busy",
      "answered",
      "no_answer"
    ])
    assert.throws(() => outdial.callee("4155550123", busy()), TypeError)
    assert.throws(() => outdial.callee("+1 415 555 01*", busy()), TypeError)
  })

  within("may be functions of promises, for which time waits", async ({ outdial, place }) => {
    outdial.callee(number, async ({ prompt }) => {
      await new Promise((resolve) => setImmediate(resolve))
      return prompt === "Remind Ada." ? answer({ seconds: 5 }) : busy()
    })
    await outdial.webhooks.create({ event_types: ["call_completed"] })
    await place(number, { custom_variables: { name: "Ada" } })
    await outdial.advance("9 seconds")
    assert.deepStrictEqual(
      outdial.delivered.map(({ at }) => at),
      ["2026-01-05T15:00:09.000Z"]
    )
  })

  within("that throw have the next step throw what they threw", async ({ outdial, place }) => {
    outdial.callee(number, () => {
      throw new Error("no such customer")
    })
    await place(number, once)
    const error = await rejection(outdial.advance(1))
    assert.instanceOf(error, CalleeFailed)
    assert.include(error.message, "no such customer")
    await outdial.advance("1 minute")
  })

  within(
    "that are missing under strict are named, with those that there are",
    async ({ outdial, place }) => {
      outdial.callee("+44*", answer())
      await place(number, once)
      const error = await rejection(outdial.runUntilIdle())
      assert.instanceOf(error, UnscriptedNumber)
      assert.strictEqual((error as UnscriptedNumber).to_number, number)
      assert.include(error.message, "+44*")
    },
    { strict: true }
  )

  it.live("that are missing are reported at the end, if no error reported them before", () =>
    Effect.scoped(
      Effect.flatMap(platform({ strict: true }), ({ outdial, place }) =>
        Effect.promise(async () => {
          await place(number, once)
          assert.instanceOf(await rejection(outdial.dispose()), UnscriptedNumber)
        })
      )
    ).pipe(Effect.sandbox, Effect.ignore)
  )

  it("refuse times that are none", () => {
    assert.throws(() => answer({ seconds: -1 }), RangeError)
    assert.throws(() => answer({ rings: 0 }), RangeError)
    assert.throws(() => noAnswer({ rings: 1.5 }), RangeError)
  })
})

describe("time", () => {
  within("stands still until it is moved", async ({ outdial, place }) => {
    outdial.callee(number, busyOnce())
    await place(number, { call_config: { call_retry_config: { retry_count: 1, retry_busy: 10 } } })
    assert.strictEqual(outdial.dialled.length, 1)
    await outdial.advance("10 minutes")
    assert.strictEqual(outdial.dialled.length, 1)
    await outdial.advance(999)
    assert.strictEqual(outdial.dialled.length, 1)
    await outdial.advance(1)
    assert.strictEqual(outdial.dialled.length, 2)
    assert.strictEqual(outdial.now.toISOString(), "2026-01-05T15:10:01.000Z")
  })

  within("moves for one after the other", async ({ outdial }) => {
    await Promise.all([outdial.advance("1 minute"), outdial.advance("2 minutes")])
    assert.strictEqual(outdial.now.toISOString(), "2026-01-05T15:03:00.000Z")
    await outdial.advanceTo(new Date("2026-01-05T16:00:00Z"))
    assert.strictEqual(outdial.now.toISOString(), "2026-01-05T16:00:00.000Z")
    assert.instanceOf(await rejection(outdial.advanceTo("2026-01-05T15:59:59Z")), RangeError)
    assert.instanceOf(await rejection(outdial.advance(-1)), RangeError)
    assert.instanceOf(await rejection(outdial.advance(Infinity)), RangeError)
    assert.instanceOf(await rejection(outdial.advanceTo("soon")), RangeError)
  })

  within("is over at once when nothing is to come", async ({ outdial }) => {
    await outdial.runUntilIdle()
    assert.strictEqual(outdial.now.toISOString(), "2026-01-05T15:00:00.000Z")
  })

  within("cannot be moved by the code that it waits for", async ({ outdial, place }) => {
    await outdial.webhooks.create({ event_types: ["call_completed"] })
    const errors: Array<Error> = []
    outdial.onWebhook(async () => {
      errors.push(await rejection(outdial.advance(1)), await rejection(outdial.runUntilIdle()))
    })
    await place(number)
    await outdial.runUntilIdle()
    assert.deepStrictEqual(
      errors.map((error) => error instanceof TimeIsHeld),
      [true, true]
    )
  })

  within(
    "says for what it waits in vain, and the platform ends all the same",
    async ({ outdial, place }) => {
      await outdial.webhooks.create({ event_types: ["call_completed"] })
      outdial.onWebhook(() => new Promise<void>(() => {}))
      await place(number)
      const error = await rejection(outdial.runUntilIdle())
      assert.instanceOf(error, StillWaiting)
      assert.include(error.message, "a webhook's receiver")
    },
    { patience: 50 }
  )

  within("has a limit in runUntilIdle", async ({ outdial, place }) => {
    outdial.callee(number, busy())
    await place(number, { call_config: { call_retry_config: { retry_count: 1, retry_busy: 90 } } })
    assert.instanceOf(await rejection(outdial.runUntilIdle({ atMost: "1 hour" })), NeverIdle)
    await outdial.runUntilIdle()
    assert.strictEqual(outdial.dialled.length, 2)
  })

  within("goes on under timers of the test's own, and signs by their date", async ({ outdial, place }) => {
    const { secret } = await outdial.webhooks.create()
    vi.useFakeTimers({ now: new Date("2031-05-05T05:05:05Z") })
    try {
      await place(number)
      await outdial.runUntilIdle()
      const [first] = outdial.delivered
      assert.strictEqual(outdial.delivered.length, 3)
      assert.strictEqual(
        first?.headers["webhook-timestamp"],
        String(Date.parse("2031-05-05T05:05:05Z") / 1_000)
      )
      assert.doesNotThrow(() => new Webhook(secret).verify(first!.body, first!.headers))
    } finally {
      vi.useRealTimers()
    }
  })
})

describe("webhooks", () => {
  within("reach the application's route, signed", async ({ outdial, place }) => {
    const { secret, url } = await outdial.webhooks.create()
    const verifier = new Webhook(secret)
    const heard: Array<unknown> = []
    outdial.onWebhook(async (request) => {
      assert.strictEqual(request.url, url)
      const body = await request.text()
      heard.push(verifier.verify(body, Object.fromEntries(request.headers)))
    })
    await place(number, { metadata: { order: 1 } })
    await outdial.advance("1 day")
    assert.deepStrictEqual(
      heard,
      outdial.delivered.map(({ event }) => event)
    )
    assert.deepStrictEqual(
      outdial.delivered.map(({ event }) => [event.event_type, event.metadata?.["order"]]),
      ["call_started", "call_completed", "recording_completed"].map((type) => [type, 1])
    )
  })

  within("that fail come again by the schedule", async ({ outdial, place }) => {
    await outdial.webhooks.create({ event_types: ["call_completed"] })
    outdial.webhooks.respond(500, { times: 2 })
    await place(number, once)
    await outdial.runUntilIdle()
    assert.deepStrictEqual(
      outdial.delivered.map(({ acknowledged, attempt_number, status }) => [
        attempt_number,
        status,
        acknowledged
      ]),
      [
        [1, 500, false],
        [2, 500, false],
        [3, 200, true]
      ]
    )
    const [first, second, third] = outdial.delivered.map(({ at }) => Date.parse(at))
    assert.isTrue(second! - first! >= 5_000 && second! - first! <= 5_500)
    assert.isTrue(third! - second! >= 300_000 && third! - second! <= 330_000)
  })

  within(
    "that no receiver takes are dead in the end; 410 disables the address",
    async ({ api, outdial, place }) => {
      const { id } = await outdial.webhooks.create({ event_types: ["call_completed"] })
      outdial.webhooks.respond(503)
      await place(number, once)
      await outdial.runUntilIdle()
      assert.strictEqual(outdial.delivered.length, 10)
      assert.strictEqual((await api.webhooks.deliveries(id)).data[0]?.status, "dead")
      outdial.webhooks.recover()
      outdial.onWebhook(() => new Response(null, { status: 410 }))
      await place(number, once)
      await outdial.runUntilIdle()
      assert.strictEqual(outdial.delivered.at(-1)?.status, 410)
      assert.strictEqual((await api.webhooks.list()).data[0]?.status, "disabled")
      assert.throws(() => outdial.webhooks.respond(42), RangeError)
    }
  )

  within("come again after what their receiver throws, which is kept", async ({ outdial, place }) => {
    await outdial.webhooks.create({ event_types: ["call_completed"] })
    let tries = 0
    outdial.onWebhook(() => {
      tries += 1
      if (tries === 1) throw new Error("expected 1 to be 2")
      return tries === 2 ? new Response(null, { status: 503, headers: { "retry-after": "3600" } }) : undefined
    })
    await place(number, once)
    await outdial.runUntilIdle()
    assert.deepStrictEqual(
      outdial.delivered.map(({ error, status }) => [status, error]),
      [
        [null, "expected 1 to be 2"],
        [503, null],
        [200, null]
      ]
    )
    const [, second, third] = outdial.delivered.map(({ at }) => Date.parse(at))
    assert.strictEqual(third! - second!, 3_600_000)
  })

  within("may have calls placed by their receiver", async ({ outdial, place }) => {
    await outdial.webhooks.create({ event_types: ["call_completed"] })
    outdial.onWebhook(async () => {
      if (outdial.dialled.length < 5) await place(`+1415555020${outdial.dialled.length}`, once)
    })
    outdial.callee("*", answer({ seconds: 10, rings: 5 }))
    await place(number, once)
    await outdial.advance("1 minute")
    assert.deepStrictEqual(
      outdial.dialled.map(({ at }) => at.slice(17, 19)),
      ["00", "15", "30", "45"].concat("00")
    )
  })
})

describe("a carrier that fails", () => {
  within("by being out of reach dials once it has recovered", async ({ outdial, place }) => {
    await outdial.carrier.fail("unreachable")
    await place(number)
    await outdial.advance("10 minutes")
    assert.strictEqual(outdial.dialled.length, 0)
    const refused = await rejection(place(number))
    assert.propertyVal(refused, "code", "service_unavailable")
    const endless = await rejection(outdial.runUntilIdle({ atMost: "1 day" }))
    assert.instanceOf(endless, NeverIdle)
    assert.include(endless.message, "recover()")
    await outdial.carrier.recover()
    await outdial.advance("15 seconds")
    assert.strictEqual(outdial.dialled.length, 1)
  })

  within("by losing its answers is never dialled twice", async ({ api, outdial, place }) => {
    await outdial.carrier.fail("lost_answers")
    outdial.callee(number, answer())
    const { call_id } = await place(number)
    await outdial.advance("1 minute")
    await outdial.carrier.recover()
    await outdial.runUntilIdle()
    assert.strictEqual(outdial.dialled.length, 1)
    assert.strictEqual((await api.calls.get(call_id)).outcome, "answered")
  })

  within(
    "by answering nothing leaves calls in doubt, and ends at once with the platform",
    async ({ outdial, place }) => {
      await outdial.carrier.fail("time_out")
      await place(number)
      await outdial.advance("5 seconds")
      assert.strictEqual(outdial.dialled.length, 0)
      const began = performance.now()
      await outdial.dispose()
      assert.isBelow(performance.now() - began, 3_500)
    }
  )
})

describe("the platform", () => {
  within("imports a file and calls whom it names, over HTTP too", async ({ api, outdial }) => {
    outdial.callee("*", busyOnce(answer({ seconds: 30 })))
    const campaign = await api.campaigns.create({
      name: "Spring",
      agent_id: outdial.agent_id,
      call_config: { call_retry_config: { retry_count: 1, retry_busy: 5 } }
    })
    const rows = Array.from({ length: 50 }, (_, i) => `+1415555${1_000 + i},P${i}`)
    await api.recipients.import(campaign.id, {
      name: "people.csv",
      data: `phone_number,name\n${rows.join("\n")}\n`
    })
    await api.campaigns.start(campaign.id)
    await outdial.runUntilIdle()
    const { stats, status } = await api.campaigns.get(campaign.id)
    assert.deepStrictEqual([status, stats.answered, stats.attempts], ["completed", 50, 100])
    assert.strictEqual(outdial.dialled.length, 100)
  })

  within("answers over HTTP what it answers in the process", async ({ outdial }) => {
    const baseUrl = await outdial.listen()
    const headers = { "x-api-key": outdial.apiKey, "content-type": "application/json" }
    const placed = await fetch(`${baseUrl}/calls`, {
      method: "POST",
      headers,
      body: JSON.stringify({ agent_id: outdial.agent_id, to_number: number })
    })
    assert.strictEqual(placed.status, 200)
    const { call_id } = (await placed.json()) as { call_id: string }
    await outdial.advance("1 minute")
    const [over, inside] = await Promise.all([
      fetch(`${baseUrl}/calls/${call_id}`, { headers }).then((response) => response.text()),
      outdial.fetch(`${outdial.baseUrl}/calls/${call_id}`, { headers }).then((response) => response.text())
    ])
    assert.strictEqual(over, inside)
    assert.include(over, '"outcome":"answered"')
    const unknown = await fetch(`${baseUrl}/calls/unknown`, { headers: { "x-api-key": "wrong" } })
    assert.strictEqual(unknown.status, 401)
  })

  within(
    "has credits to run out of",
    async ({ outdial, place }) => {
      await place(number)
      assert.propertyVal(await rejection(place(number)), "code", "insufficient_credits")
      await outdial.topUp(1)
      await place("+14155550199")
    },
    { credits: 1 }
  )

  within(
    "has settings",
    async ({ api, outdial, place }) => {
      await place(number)
      await outdial.runUntilIdle()
      assert.strictEqual((await api.credits.balance()).balance, 993)
    },
    { settings: { OUTDIAL_PRICE_PER_MINUTE: "7" } }
  )

  it("says which option or setting is not valid", async () => {
    const settings = { OUTDIAL_PRICE_PER_MINUTE: "free" }
    const error = await rejection(makeTestPlatform({ settings }))
    assert.instanceOf(error, TypeError)
    assert.include(error.message, "OUTDIAL_PRICE_PER_MINUTE")
    assert.instanceOf(await rejection(makeTestPlatform({ start: "soon" })), RangeError)
    assert.instanceOf(await rejection(makeTestPlatform({ from_number: "4155550100" })), TypeError)
  })

  it("checks options, fates and callees as strictly as types do, and names what is probably meant", async () => {
    const wrong: ReadonlyArray<readonly [options: unknown, message: string]> = [
      [null, "must be an object"],
      [{ sede: 7 }, "there is no option sede; seed is probably meant"],
      [{ seed: "7" }, "seed must be a number"],
      [{ strict: "yes" }, "strict must be true or false"],
      [{ agent: { promt: "Hi" } }, "there is no option agent.promt; prompt is probably meant"],
      [{ settings: { PORT: 8080 } }, "settings.PORT must be a string"]
    ]
    for (const [options, message] of wrong) {
      const error = await rejection(makeTestPlatform(options as TestPlatformOptions))
      assert.instanceOf(error, TypeError)
      assert.strictEqual(error.message, message)
    }
    const refused = (make: () => unknown, message: string) => assert.throws(make, TypeError, message)
    refused(() => answer({ secnds: 3 } as object), "there is no option secnds; seconds is probably meant")
    refused(() => noAnswer({ ring: 3 } as object), "there is no option ring; rings is probably meant")
    refused(() => fail({ code: 7 } as object), "code must be a string")
    refused(() => inTurn({ does: "bussy" } as never), 'there is no fate "bussy"; busy is probably meant')
  })

  within("takes no callee whose fate does not exist, and no way to fail that there is not", async (rig) => {
    const { outdial, place } = rig
    const set = (fate: unknown) => () => outdial.callee("*", fate as Callee)
    assert.throws(set({ does: "anser" }), TypeError, 'there is no fate "anser"; answer is probably meant')
    assert.throws(set({ does: "toString" }), TypeError, 'there is no fate "toString"')
    assert.throws(set({ does: "reject" }), TypeError, "rings is required")
    assert.throws(set({ does: "busy", rings: 3 }), TypeError, "there is no option rings")
    assert.throws(set("busy"), TypeError, "a fate is what answer(), busy() and their like return")
    assert.include(
      (await rejection(outdial.carrier.fail("offline" as never))).message,
      "unreachable, time_out"
    )
    outdial.callee("*", () => ({ does: "rejct" }) as never)
    await place(number)
    const error = await rejection(outdial.advance("1 minute"))
    assert.instanceOf(error, CalleeFailed)
    assert.include(error.message, 'there is no fate "rejct"; reject is probably meant')
  })

  within("lets go of a request that was aborted", async ({ outdial }) => {
    const headers = { "x-api-key": outdial.apiKey }
    const signal = AbortSignal.abort(new Error("never mind"))
    const error = await rejection(outdial.fetch(`${outdial.baseUrl}/calls`, { headers, signal }))
    assert.strictEqual(error.message, "never mind")
  })

  within("reaches nothing but itself, and nothing once it is over", async ({ outdial, place }) => {
    assert.instanceOf(await rejection(outdial.fetch("https://example.com/")), TypeError)
    await outdial.dispose()
    assert.instanceOf(await rejection(outdial.fetch(`${outdial.baseUrl}/calls`)), Disposed)
    assert.instanceOf(await rejection(outdial.advance(1)), Disposed)
    await rejection(place(number))
    await outdial.dispose()
  })
})
