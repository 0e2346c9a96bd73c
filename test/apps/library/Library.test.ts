import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import {
  type AudioFile,
  type AudioStore,
  type Carrier,
  CampaignRefused,
  CarrierUnreachable,
  ChangeRefused,
  DialRefused,
  Disposed,
  type Event,
  InvalidInput,
  InvalidOptions,
  layer,
  makeOutdial,
  ModelBusy,
  type Options,
  type Outdial,
  RegistryTimedOut,
  type Sender,
  StoreUnavailable,
  WorkspaceNotFound
} from "../../../apps/library/main.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { temporaryFile } from "../../adapters/sql/TemporaryFile.ts"

const fast = { OUTDIAL_SIMULATED_SPEED: "Infinity" }

const platform = (options: Options = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => makeOutdial({ settings: fast, ...options })),
    (outdial) => Effect.promise(() => outdial.dispose())
  )

const tenant = async (outdial: Outdial) => {
  const { id } = await outdial.workspaces.create({ name: "Acme" })
  const agent = await outdial.agents.create(id, { name: "Agent", prompt: "Call {{name}}" })
  await outdial.agents.update(id, agent.id, { published: true })
  await outdial.numbers.add(id, { number: "+14155550100" })
  await outdial.credits.topUp(id, 100)
  return { workspace: id, agent_id: agent.id }
}

/** The first event that is looked for. */
const first = async (events: AsyncIterable<Event>, event_type: Event["event_type"]): Promise<Event> => {
  for await (const event of events) if (event.event_type === event_type) return event
  throw new Error("the events ended")
}

/** What a promise is rejected with. */
const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => error
  )

const used = (options: Options, use: (outdial: Outdial) => Promise<void>) =>
  Effect.flatMap(platform(options), (outdial) => Effect.promise(() => use(outdial)))

describe("records and inputs", () => {
  it.scopedLive("are those of the REST interface: ISO times, masked numbers, JSON as values", () =>
    used({}, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const call = await outdial.calls.place(workspace, {
        agent_id,
        to_number: "+14155550123",
        custom_variables: { name: "Ada" },
        metadata: { order: [1, { nested: true }] }
      })
      assert.strictEqual(call.to_number_masked, "+*******0123")
      assert.deepStrictEqual(call.metadata, { order: [1, { nested: true }] })
      assert.strictEqual(new Date(call.created_at).toISOString(), call.created_at)
      assert.notProperty(call, "to_number")
    })
  )

  it.scopedLive("are refused as they are at the door, with the field and the rule", () =>
    used({}, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const to_number = "+14155550123"
      const refused = async (promise: Promise<unknown>, field: string | null) => {
        const error = await rejection(promise)
        assert.instanceOf(error, InvalidInput)
        assert.strictEqual((error as InvalidInput).field, field)
        assert.isAbove((error as InvalidInput).message.length, 5)
      }
      const circle: Record<string, unknown> = {}
      circle["self"] = circle
      await refused(outdial.calls.place(workspace, { agent_id, to_number: "0123" }), "to_number")
      await refused(
        outdial.calls.place(workspace, { agent_id, to_number, call_config: { max_call_length: 3_601 } }),
        "call_config"
      )
      await refused(outdial.calls.place(workspace, { agent_id, to_number, metadata: circle }), null)
      await refused(outdial.calls.list(workspace, { limit: 101 }), "limit")
      await refused(outdial.calls.list(workspace, { status: "over" as "queued" }), "status")
      await refused(outdial.workspaces.create({ name: "" }), "name")
      await refused(outdial.credits.topUp(workspace, 1.5), null)
      await refused(
        outdial.agents.create(workspace, { name: "A", prompt: "P", idle_timeout_end: 5 }),
        "idle_timeout_warning"
      )
    })
  )

  it.scopedLive("lists take a filter and a page, and answer how many there are", () =>
    used({ settings: {} }, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      for (let i = 0; i < 3; i++)
        await outdial.calls.place(workspace, { agent_id, to_number: "+14155550123" })
      const page = await outdial.calls.list(workspace, {
        limit: 2,
        offset: 1,
        created_after: new Date("2000-01-01T00:00:00Z")
      })
      assert.deepStrictEqual(page.pagination, { limit: 2, offset: 1, total: 3 })
      assert.lengthOf(page.data, 2)
      assert.lengthOf((await outdial.calls.list(workspace)).data, 3)
      assert.lengthOf(
        (await outdial.calls.list(workspace, { created_before: new Date("2000-01-01T00:00:00Z") })).data,
        0
      )
      assert.lengthOf((await outdial.agents.list(workspace, { published: false })).data, 0)
    })
  )

  it.scopedLive("secrets are shown once: a key when it is made, a webhook's when it is made or rotated", () =>
    used({}, async (outdial) => {
      const { workspace } = await tenant(outdial)
      const made = await outdial.workspaces.createKey(workspace, { name: "k", scopes: ["sessions:read"] })
      assert.match(made.key, /^od_live_/)
      assert.notProperty(made, "digest")
      assert.notProperty((await outdial.workspaces.keys(workspace)).data[0], "key")
      const webhook = await outdial.webhooks.create(workspace, { url: "https://example.com/hook" })
      assert.match(webhook.secret, /^whsec_/)
      assert.notProperty((await outdial.webhooks.list(workspace)).data[0], "secret")
      assert.notStrictEqual((await outdial.webhooks.rotate(workspace, webhook.id)).secret, webhook.secret)
      const first = await outdial.workspaces.toolSecret(workspace)
      assert.match(first.secret, /^whsec_/)
      assert.isNull(first.previous_secret_until)
      const second = await outdial.workspaces.rotateToolSecret(workspace)
      assert.notStrictEqual(second.secret, first.secret)
      assert.match(second.previous_secret_until!, /Z$/)
    })
  )

  it.scopedLive("a change that a campaign's state does not allow is told in words", () =>
    used({}, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const campaign = await outdial.campaigns.create(workspace, { name: "Spring", agent_id })
      const error = await rejection(
        outdial.campaigns.update(workspace, campaign.id, { agent_id: "agent_unknown" })
      )
      assert.instanceOf(error, ChangeRefused)
      assert.include((error as ChangeRefused).message, "agent_id")
    })
  )

  it.scopedLive("all recipients of a campaign can be walked through", () =>
    used({}, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const { id } = await outdial.campaigns.create(workspace, { name: "Spring", agent_id })
      await outdial.recipients.add(workspace, id, [
        { phone_number: "+14155550123", variables: { name: "Ada" } },
        { phone_number: "+14155550124" }
      ])
      const found: Array<unknown> = []
      for await (const { variables } of outdial.recipients.all(workspace, id)) found.push(variables)
      assert.deepStrictEqual(found, [{ name: "Ada" }, {}])
    })
  )

  it.scopedLive("a campaign is simulated, by promise and over REST, to the same end", () =>
    used({}, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const { id } = await outdial.campaigns.create(workspace, { name: "June", agent_id })
      await outdial.recipients.add(workspace, id, [
        { phone_number: "+14155550123" },
        { phone_number: "+14155550124" }
      ])
      const wanted = { seeds: 2, starts_at: "2026-01-05T09:00:00.000Z" }
      const { chart, ...simulation } = await outdial.simulations.simulate(workspace, id, wanted)
      assert.strictEqual(simulation.recipients, 2)
      assert.match(chart, /^<svg /)
      assert.strictEqual((await outdial.campaigns.get(workspace, id)).status, "draft")
      const { key } = await outdial.workspaces.createKey(workspace, {
        name: "rest",
        scopes: ["campaigns:read"]
      })
      const answer = await outdial.fetch(
        new Request(`http://localhost/v0/campaigns/${id}/simulations`, {
          method: "POST",
          headers: { "x-api-key": key, "content-type": "application/json" },
          body: JSON.stringify(wanted)
        })
      )
      assert.deepStrictEqual(await answer.json(), { ...simulation, chart })
      const { model } = await outdial.simulations.callees(workspace, {
        campaign_id: id,
        since: "2026-01-01T00:00:00Z"
      })
      assert.deepStrictEqual(model, simulation.model)
      assert.instanceOf(await rejection(outdial.simulations.forecast(workspace, id)), CampaignRefused)
      assert.instanceOf(
        await rejection(outdial.simulations.simulate(workspace, id, { seeds: 0 })),
        InvalidInput
      )
    })
  )

  it.scopedLive("a suite is generated, run and read with its transcripts", () =>
    used({}, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const suite = await outdial.suites.generate(workspace, { agent_id, count: 1 })
      const change = { scenarios: [{ ...suite.scenarios[0]!, max_turns: 2, runs: 1 }] }
      await outdial.suites.update(workspace, suite.id, change)
      const { id } = await outdial.runs.start(workspace, suite.id)
      let run = await outdial.runs.get(workspace, id)
      while (run.status === "queued" || run.status === "running") run = await outdial.runs.get(workspace, id)
      assert.strictEqual(run.status, "completed")
      assert.isAbove(run.results[0]!.transcript.length, 0)
    })
  )
})

describe("events", () => {
  it.scopedLive("are heard from the call of events() on, by workspace and kind, until the loop is left", () =>
    used({}, async (outdial) => {
      const [one, other] = [await tenant(outdial), await tenant(outdial)]
      const completed = outdial.events({ workspace_id: other.workspace, event_types: ["call_completed"] })
      const { agent_id } = one
      await outdial.calls.place(one.workspace, { agent_id, to_number: "+14155550123" })
      const call = await outdial.calls.place(other.workspace, {
        agent_id: other.agent_id,
        to_number: "+14155550123"
      })
      const event = await first(completed, "call_completed")
      assert.strictEqual(event.call_id, call.call_id)
      assert.strictEqual((await completed.next()).done, true)
    })
  )

  it.scopedLive("a reader that waits is let go when the platform is disposed of", () =>
    Effect.gen(function* () {
      const outdial = yield* platform()
      const waiting = outdial.events().next()
      yield* Effect.promise(() => outdial.dispose())
      assert.deepStrictEqual(yield* Effect.promise(() => waiting), { done: true, value: undefined })
    })
  )
})

/** Two of them wait twenty seconds for a carrier that may still be heard of. */
describe.concurrent("ports of one's own", () => {
  it.scopedLive(
    "a carrier whose dial answers no text leaves the call in doubt, which is told and logged",
    () => {
      const errors: Array<unknown> = []
      const lines: Array<string> = []
      const carrier = {
        dial: () => undefined as unknown as string,
        lookup: () => ({ _tag: "Nonsense" }) as never
      }
      const options: Options = {
        carrier,
        onError: (thrown, by) => void errors.push([by, thrown instanceof TypeError]),
        log: ({ message }) => void lines.push(message)
      }
      return used(options, async (outdial) => {
        const { agent_id, workspace } = await tenant(outdial)
        const events = outdial.events()
        const { call_id } = await outdial.calls.place(workspace, { agent_id, to_number: "+14155550123" })
        await first(events, "call_completed")
        const call = await outdial.calls.get(workspace, call_id)
        assert.deepStrictEqual([call.outcome, call.sub_status], ["unknown", "in_doubt"])
        assert.deepStrictEqual(errors[0], ["carrier.dial", true])
        assert.deepStrictEqual(errors[1], ["carrier.lookup", true])
        assert.include(lines.join("\n"), "what carrier.dial gives must be a string")
      })
    }
  )

  it.scopedLive("progress that is none is told and left out, and what follows is heard", () => {
    const errors: Array<string> = []
    let tell: Parameters<NonNullable<Carrier["onProgress"]>>[0] = () => {}
    const carrier: Carrier = {
      dial: ({ key, workspace_id }) => {
        const at = Date.now()
        const ended = {
          outcome: "busy",
          sub_status: null,
          duration_seconds: 0,
          error_code: null,
          error_message: null
        }
        queueMicrotask(() => {
          tell({ workspace_id, key, progress: { _tag: "Picked", at } as never })
          tell({ workspace_id, key, progress: { _tag: "Ended", at, ...ended, outcome: "busy" } })
        })
        return "carrier-call-1"
      },
      onProgress: (told) => {
        tell = told
      }
    }
    return used({ carrier, onError: (_, by) => void errors.push(by), log: () => {} }, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const events = outdial.events()
      const { call_id } = await outdial.calls.place(workspace, { agent_id, to_number: "+14155550123" })
      await first(events, "call_completed")
      assert.strictEqual((await outdial.calls.get(workspace, call_id)).outcome, "busy")
      assert.deepStrictEqual(errors, ["carrier.onProgress"])
    })
  })

  it.scopedLive(
    "a carrier that throws anything it should not leaves the dial in doubt, and is told of",
    () => {
      const errors: Array<string> = []
      const dialled: Array<string> = []
      const carrier: Carrier = {
        dial: ({ key }) => {
          dialled.push(key)
          throw new TypeError("a mistake")
        },
        lookup: () => {
          throw new Error("another")
        }
      }
      const onError: Options["onError"] = (_, by) => void errors.push(by)
      return used({ carrier, onError }, async (outdial) => {
        const { agent_id, workspace } = await tenant(outdial)
        const events = outdial.events()
        const { call_id } = await outdial.calls.place(workspace, { agent_id, to_number: "+14155550123" })
        await first(events, "call_completed")
        const call = await outdial.calls.get(workspace, call_id)
        assert.deepStrictEqual(
          [call.status, call.outcome, call.sub_status],
          ["failed", "unknown", "in_doubt"]
        )
        assert.lengthOf(dialled, 1)
        assert.deepStrictEqual([...new Set(errors)], ["carrier.dial", "carrier.lookup"])
      })
    }
  )

  it.scopedLive(
    "a carrier that was out of reach is dialled again under the same key, and tells progress",
    () => {
      const keys: Array<string> = []
      let tell: Parameters<NonNullable<Carrier["onProgress"]>>[0] = () => {}
      const carrier: Carrier = {
        dial: ({ key, workspace_id }) => {
          keys.push(key)
          if (keys.length === 1) throw new CarrierUnreachable({ message: "the cable is out" })
          const at = Date.now()
          queueMicrotask(() => {
            tell({ workspace_id, key, progress: { _tag: "Answered", at } })
            tell({
              workspace_id,
              key,
              progress: {
                _tag: "Ended",
                at,
                outcome: "answered",
                sub_status: "user_hangup",
                duration_seconds: 30,
                error_code: null,
                error_message: null
              }
            })
          })
          return "carrier-call-1"
        },
        lookup: () => ({ _tag: "NeverReceived" }),
        onProgress: (told) => {
          tell = told
        }
      }
      return used({ carrier }, async (outdial) => {
        const { agent_id, workspace } = await tenant(outdial)
        const events = outdial.events()
        const { call_id } = await outdial.calls.place(workspace, { agent_id, to_number: "+14155550123" })
        await first(events, "call_completed")
        assert.strictEqual((await outdial.calls.get(workspace, call_id)).outcome, "answered")
        assert.strictEqual(new Set(keys).size, 1)
        assert.lengthOf(keys, 2)
        assert.strictEqual(await outdial.credits.balance(workspace), 99)
      })
    }
  )

  it.scopedLive("a generator's scenarios are checked, and its typed errors come through", () => {
    let answer: () => ReturnType<Extract<Options["generator"], { generate: unknown }>["generate"]>
    const scenario = { label: "Hurried", instructions: "Be in a hurry.", runs: 1, max_turns: 4 }
    return used({ generator: { generate: () => answer() } }, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const generate = () => outdial.suites.generate(workspace, { agent_id, count: 2 })
      answer = () => ({ scenarios: [scenario] })
      assert.deepStrictEqual((await generate()).scenarios, [scenario])
      answer = () => ({ scenarios: [{ ...scenario, runs: 0 }] })
      assert.propertyVal(await rejection(generate()), "_tag", "ModelUnusable")
      answer = () => ({ scenarios: [scenario, scenario] })
      assert.propertyVal(await rejection(generate()), "_tag", "ModelUnusable")
      answer = () => {
        throw new ModelBusy({ message: "later", retry_after: 7 })
      }
      assert.propertyVal(await rejection(generate()), "retry_after", 7)
      answer = () => Promise.reject(new Error("a mistake"))
      assert.propertyVal(await rejection(generate()), "_tag", "ModelUnavailable")
    })
  })

  it.scopedLive("an inventory and a registry are asked, and their typed errors come through", () =>
    used(
      {
        inventory: {
          search: ({ contains }) => ({
            numbers: ["+14155550123", "+14155559999"].map((number) => ({
              number,
              country: "US",
              region: contains ?? "",
              setup_price: "0.00",
              monthly_price: "1.15",
              currency: "USD",
              needs_identity: false
            }))
          })
        },
        registry: {
          submit: ({ name }) => {
            if (name === "slow") throw new RegistryTimedOut({ message: "no answer" })
            return { provider_template_id: "1", status: "approved", rejection_reason: null }
          },
          remove: () => {}
        }
      },
      async (outdial) => {
        const { workspace } = await tenant(outdial)
        const found = await outdial.numbers.browse({ search: "9999" })
        assert.deepStrictEqual(
          found.map(({ number }) => number),
          ["+14155559999"]
        )
        const draft = {
          name: "reminder",
          language: "en",
          category: "utility" as const,
          components: [{ type: "body" as const, text: "Hello" }]
        }
        assert.strictEqual((await outdial.templates.create(workspace, draft)).status, "approved")
        const error = await rejection(outdial.templates.create(workspace, { ...draft, name: "slow" }))
        assert.instanceOf(error, RegistryTimedOut)
      }
    )
  )

  it.scopedLive("a sender is told of each message once, and its receipts and replies are heard", () =>
    Effect.gen(function* () {
      const sent: Array<string> = []
      let stopped = 0
      let tellProgress: Parameters<NonNullable<Sender["onProgress"]>>[0] = () => {}
      let tellReply: Parameters<NonNullable<Sender["onReply"]>>[0] = () => {}
      const sender: Sender = {
        send: ({ from_number, key, parameters, template, to_number, workspace_id }) => {
          sent.push(`${template.name} ${parameters.body.get("1")}`)
          if (to_number.endsWith("7")) {
            throw new DialRefused({
              outcome: "failed",
              sub_status: "invalid_number",
              code: "131026",
              message: "no account"
            })
          }
          queueMicrotask(() => {
            const at = Date.now()
            const end = { duration_seconds: 0, error_code: null, error_message: null, sub_status: null }
            tellProgress({ workspace_id, key, progress: { _tag: "Sent", at } })
            tellProgress({ workspace_id, key, progress: { _tag: "Ended", at, outcome: "delivered", ...end } })
            tellReply({ from_number: to_number, to_number: from_number, at })
          })
          return "provider-1"
        },
        onProgress: (tell) => {
          tellProgress = tell
          return () => void stopped++
        },
        onReply: (tell) => {
          tellReply = tell
          return () => void stopped++
        }
      }
      yield* used({ sender }, async (outdial) => {
        const { workspace } = await tenant(outdial)
        const agent = await outdial.agents.create(workspace, { name: "W", prompt: "P", channel: "msg" })
        await outdial.agents.update(workspace, agent.id, { published: true })
        const template = await outdial.templates.create(workspace, {
          name: "reminder",
          language: "en",
          category: "utility",
          components: [{ type: "body", text: "Hello {{1}}, bye.", example: { body_text: [["Ada"]] } }]
        })
        const campaign = await outdial.campaigns.create(workspace, {
          name: "Spring",
          agent_id: agent.id,
          channel: "msg",
          template: { id: template.id, variables: { body: { 1: "name" } } }
        })
        await outdial.recipients.add(workspace, campaign.id, [
          { phone_number: "+14155550123", variables: { name: "Ada" } },
          { phone_number: "+14155550127", variables: { name: "Bob" } }
        ])
        await outdial.campaigns.start(workspace, campaign.id)
        const recipients = async () => (await outdial.recipients.list(workspace, campaign.id)).data
        let found = await recipients()
        while (
          found.some(
            ({ outcome, last_customer_message_at }) =>
              outcome["outcome"] === undefined ||
              (outcome["outcome"] === "delivered" && last_customer_message_at === null)
          )
        )
          found = await recipients()
        assert.sameMembers(
          found.map(({ outcome, status }) => `${status} ${String(outcome["outcome"])}`),
          ["completed delivered", "failed failed"]
        )
        assert.sameMembers(sent, ["reminder Ada", "reminder Bob"])
      }).pipe(Effect.scoped)
      assert.strictEqual(stopped, 2)
    })
  )

  it.scopedLive("audio is brought when it is asked for, read in parts, and removed", () => {
    const kept = new Map<string, Uint8Array>()
    const asked: Array<string> = []
    const fileOf = (bytes: Uint8Array | undefined): AudioFile | null =>
      bytes === undefined
        ? null
        : {
            size_bytes: bytes.length,
            async *bytes(from, until) {
              for (let at = from; at < until; at += 3) yield bytes.subarray(at, Math.min(until, at + 3))
            }
          }
    const audio: AudioStore = {
      find: (_, recording_id) => fileOf(kept.get(recording_id)),
      bring: async ({ carrier_recording_id, id }) => {
        asked.push(carrier_recording_id)
        kept.set(id, new TextEncoder().encode("RIFF, so to speak"))
        return fileOf(kept.get(id))
      },
      remove: ({ id }) => {
        if (asked.length > 1) throw new Error("the bucket is locked")
        kept.delete(id)
      }
    }
    const errors: Array<string> = []
    return used({ audio, onError: (_, by) => void errors.push(by) }, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const record = async () => {
        const events = outdial.events({ event_types: ["recording_completed"] })
        await outdial.calls.place(workspace, { agent_id, to_number: "+14155550123" })
        const { session_id } = await first(events, "recording_completed")
        return (await outdial.recordings.ofSession(workspace, session_id!)).data[0]!
      }
      const recording = await record()
      assert.deepStrictEqual(asked, [])
      const read = (range: string) => outdial.fetch(new Request(recording.url!, { headers: { range } }))
      const answers = [await read("bytes=0-3"), await read("bytes=6-")]
      assert.deepStrictEqual(await Promise.all(answers.map((answer) => answer.text())), [
        "RIFF",
        "so to speak"
      ])
      assert.lengthOf(asked, 1)
      const { searchParams } = new URL(recording.url!)
      const opened = await outdial.recordings.open({
        recording_id: recording.id,
        workspace_id: workspace,
        expires: searchParams.get("expires")!,
        signature: searchParams.get("signature")!
      })
      const pieces: Array<Uint8Array> = []
      for await (const piece of opened.bytes(6, opened.size_bytes)) pieces.push(piece)
      assert.strictEqual(Buffer.concat(pieces).toString(), "so to speak")
      const removed = await outdial.recordings.remove(workspace, recording.id)
      assert.strictEqual(removed.status, "deleted")
      assert.strictEqual(removed.created_at, recording.created_at)
      assert.strictEqual(kept.size, 0)
      assert.strictEqual((await read("bytes=0-3")).status, 404)
      const second = await record()
      await (await outdial.fetch(new Request(second.url!))).text()
      const error = await rejection(outdial.recordings.remove(workspace, second.id))
      assert.instanceOf(error, StoreUnavailable)
      assert.include(errors, "audio.remove")
    })
  })

  it.scopedLive("bearer tokens are verified by a function of one's own", () =>
    Effect.gen(function* () {
      let workspace_id = ""
      const outdial = yield* platform({
        tokens: {
          verify: (token) => {
            if (token !== "good") throw new Error("bad")
            return { workspace_id, scopes: ["sessions:read"] }
          }
        }
      })
      const status = (token: string) =>
        Effect.promise(async () => {
          const headers = { authorization: `Bearer ${token}` }
          return (await outdial.fetch(new Request("http://localhost/v0/calls", { headers }))).status
        })
      workspace_id = (yield* Effect.promise(() => tenant(outdial))).workspace
      assert.strictEqual(yield* status("good"), 200)
      assert.strictEqual(yield* status("other"), 401)
    })
  )
})

describe("a store", () => {
  it.scopedLive("in a SQLite file outlives the platform, which goes on where it stood", () =>
    Effect.gen(function* () {
      const store = `sqlite:${yield* temporaryFile}`
      const placed = yield* Effect.promise(async () => {
        const outdial = await makeOutdial({ store, settings: {} })
        const { agent_id, workspace } = await tenant(outdial)
        const { call_id } = await outdial.calls.place(workspace, { agent_id, to_number: "+14155550123" })
        await outdial.dispose()
        return { call_id, workspace }
      })
      const outdial = yield* platform({ store })
      const call = yield* Effect.promise(() => outdial.calls.get(placed.workspace, placed.call_id))
      assert.strictEqual(call.call_id, placed.call_id)
    })
  )

  it.live("that cannot be used is told at the start, and so is an option that is not valid", () =>
    Effect.promise(async () => {
      const lost = await rejection(makeOutdial({ store: "sqlite:/nowhere/at/all/outdial.db" }))
      assert.instanceOf(lost, StoreUnavailable)
      const wrong = await rejection(makeOutdial({ store: "mysql://root:secret@host/db" }))
      assert.instanceOf(wrong, InvalidOptions)
      assert.notInclude((wrong as Error).message, "secret")
      const speed = await rejection(makeOutdial({ settings: { OUTDIAL_SIMULATED_SPEED: "-1" } }))
      assert.include((speed as Error).message, "OUTDIAL_SIMULATED_SPEED")
    })
  )

  it.scopedLive("may be given as a layer", () =>
    used({ store: MemoryRepository.layer }, async (outdial) => {
      await tenant(outdial)
      assert.strictEqual((await outdial.workspaces.list()).pagination.total, 1)
    })
  )
})

describe("for programs that use Effect", () => {
  it.scopedLive("the running services are a runtime and a layer", () =>
    Effect.gen(function* () {
      const outdial = yield* platform()
      const { workspace } = yield* Effect.promise(() => tenant(outdial))
      const balance = Effect.flatMap(Credits, (credits) => credits.balance(workspace))
      assert.strictEqual(yield* Effect.promise(() => outdial.runtime.runPromise(balance)), 100)
      assert.strictEqual(yield* Effect.provide(balance, outdial.layer), 100)
    })
  )

  it.scoped("everything is a layer, under virtual time as well", () =>
    Effect.gen(function* () {
      const workspace = yield* (yield* Workspaces).create({ name: "Acme" })
      const { total } = yield* (yield* Calls).list(workspace.id, {}, { limit: 1, offset: 0 })
      assert.strictEqual(total, 0)
      assert.strictEqual(workspace.created_at, 0)
    }).pipe(Effect.provide(Layer.orDie(layer())))
  )
})

describe("a workspace that does not exist", () => {
  it.scopedLive("is told as such by every group, whatever is asked of it", () =>
    used({}, async (outdial) => {
      const asked: ReadonlyArray<() => Promise<unknown>> = [
        () => outdial.calls.place("ws_none", { agent_id: "agent_1", to_number: "+14155550123" }),
        () => outdial.calls.list("ws_none"),
        () => outdial.agents.get("ws_none", "agent_1"),
        () => outdial.credits.topUp("ws_none", 10, null),
        () => outdial.numbers.add("ws_none", { number: "+14155550100" }),
        () => outdial.webhooks.create("ws_none", { url: "https://example.com/hook" }),
        () => outdial.workspaces.createKey("ws_none", { name: "Key", scopes: ["sessions:read"] })
      ]
      for (const ask of asked) {
        const error = await rejection(ask())
        assert.instanceOf(error, WorkspaceNotFound)
        assert.strictEqual((error as WorkspaceNotFound).workspace_id, "ws_none")
      }
      assert.deepStrictEqual((await outdial.workspaces.list()).pagination.total, 0)
    })
  )
})

describe("the end", () => {
  it.scopedLive("whatever is asked afterwards is rejected as disposed, and disposing twice is once", () =>
    Effect.gen(function* () {
      const outdial = yield* platform()
      const error = yield* Effect.promise(async () => {
        await Promise.all([outdial.dispose(), outdial.dispose()])
        return rejection(outdial.workspaces.list())
      })
      assert.instanceOf(error, Disposed)
    })
  )
})

describe("options", () => {
  it("are checked as strictly as their types do, and name what is probably meant", async () => {
    const dial = () => "id"
    const wrong: ReadonlyArray<readonly [options: unknown, message: string]> = [
      [null, "the options must be an object"],
      [{ stoer: "memory:" }, "there is no option stoer; store is probably meant"],
      [{ carrier: { dail: dial } }, "there is no option carrier.dail; dial is probably meant"],
      [{ carrier: {} }, "carrier.dial is required"],
      [{ carrier: { dial, hangup: dial } }, "there is no option carrier.hangup; hangUp is probably meant"],
      [{ carrier: { dial, lookup: "no" } }, "carrier.lookup must be a function"],
      [{ carrier: "twilio" }, "carrier must be an object"],
      [{ sink: { vet: dial } }, "sink.deliver is required"],
      [{ agentModel: { replay: dial } }, "there is no option agentModel.replay; reply is probably meant"],
      [{ agentModel: { reply: dial, name: 7 } }, "agentModel.name must be a string"],
      [{ reviewer: {} }, "reviewer.review is required"],
      [{ tools: { run: dial, vet: "no" } }, "tools.vet must be a function"],
      [{ onError: 1 }, "onError must be a function"],
      [{ settings: { PORT: 8080 } }, "settings.PORT must be a string"]
    ]
    for (const [options, message] of wrong) {
      const error = await rejection(makeOutdial(options as Options))
      assert.instanceOf(error, InvalidOptions)
      assert.strictEqual((error as InvalidOptions).message, message)
    }
  })

  it.scopedLive("may be objects of a class, which have more than the port needs", () => {
    class Own {
      readonly id = "mine"
      dial() {
        return this.id
      }
    }
    return used({ carrier: new Own() }, async (outdial) => {
      assert.strictEqual((await outdial.workspaces.create({ name: "Acme" })).name, "Acme")
    })
  })
})
