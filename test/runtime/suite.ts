/**
 * What the library does on every runtime: run by Node, Deno and Bun, each with nothing but itself, on each store that
 * is named. The process ends by itself: nothing is left open by a platform that was disposed of.
 */
import assert from "node:assert/strict"
import process from "node:process"
import {
  type Carrier,
  DialRefused,
  DuplicateKey,
  type Event,
  InvalidInput,
  makeOutdial,
  type Options,
  type Outdial
} from "../../apps/library/main.ts"

const tenant = async (outdial: Outdial) => {
  const { id } = await outdial.workspaces.create({ name: "Runtime" })
  const agent = await outdial.agents.create(id, { name: "Agent", prompt: "Call {{name}}" })
  await outdial.agents.update(id, agent.id, { published: true })
  await outdial.numbers.add(id, { number: "+14155550100" })
  await outdial.credits.topUp(id, 100)
  const { key } = await outdial.workspaces.createKey(id, {
    name: "key",
    scopes: ["sessions:read", "sessions:write", "campaigns:read", "campaigns:write"]
  })
  return { workspace: id, agent_id: agent.id, key }
}

/** The store that is looked at now. */
let store = "memory:"

const within = async <A>(options: Options, run: (outdial: Outdial) => Promise<A>): Promise<A> => {
  const outdial = await makeOutdial({ store, ...options })
  try {
    return await run(outdial)
  } finally {
    await outdial.dispose()
  }
}

let platform: Outdial | undefined

/** A platform without options of its own, which the tests of one store share. */
const onShared = async (run: (outdial: Outdial) => Promise<void>): Promise<void> => {
  platform ??= await makeOutdial({ store })
  await run(platform)
}

const fast = { OUTDIAL_SIMULATED_SPEED: "Infinity" }

/** The events of one call until it has none more to come. */
const eventsOf = async (events: AsyncIterable<Event>, count: number): Promise<ReadonlyArray<Event>> => {
  const heard: Array<Event> = []
  for await (const event of events) {
    heard.push(event)
    if (heard.length === count) break
  }
  return heard
}

const tests: Record<string, () => Promise<void>> = {
  "a call is placed, dialled by the simulated carrier and heard of to its end": () =>
    within({ settings: fast }, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const events = outdial.events({ workspace_id: workspace })
      const call = await outdial.calls.place(workspace, {
        agent_id,
        to_number: "+14155550123",
        metadata: { order: 1 }
      })
      assert.equal(call.status, "queued")
      const heard = await eventsOf(events, 3)
      assert.deepEqual(
        heard.map(({ event_type }) => event_type),
        ["call_started", "call_completed", "recording_completed"]
      )
      assert.ok(heard.every(({ call_id, metadata }) => call_id === call.call_id && metadata?.["order"] === 1))
      const ended = await outdial.calls.get(workspace, call.call_id)
      assert.deepEqual([ended.status, ended.outcome], ["completed", "answered"])
    }),

  "a campaign is simulated, in a process of its own": () =>
    onShared(async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const { id } = await outdial.campaigns.create(workspace, { name: "Spring", agent_id })
      await outdial.recipients.add(workspace, id, [{ phone_number: "+14155550123" }])
      const simulation = await outdial.simulations.simulate(workspace, id, { seeds: 2 })
      assert.deepEqual([simulation.recipients, simulation.completed_share], [1, 1])
    }),

  "webhook events reach a sink of one's own, signed secrets and all": async () => {
    const bodies: Array<{ readonly event_type: string; readonly call_id: string }> = []
    let received = () => {}
    const all = new Promise<void>((resolve) => {
      received = () => (bodies.length === 3 ? resolve() : undefined)
    })
    const sink: Options["sink"] = {
      deliver: ({ body, secrets }) => {
        assert.match(secrets[0]!, /^whsec_/)
        bodies.push(JSON.parse(body))
        received()
        return { _tag: "Acknowledged", status: 204 }
      }
    }
    await within({ settings: fast, sink }, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      await outdial.webhooks.create(workspace, { url: "https://example.com/hook" })
      const call = await outdial.calls.place(workspace, { agent_id, to_number: "+14155550123" })
      await all
      assert.ok(bodies.every(({ call_id }) => call_id === call.call_id))
    })
  },

  "a carrier of one's own is dialled once for each attempt": async () => {
    const dialled: Array<string> = []
    const carrier: Carrier = {
      dial: ({ key, to_number }) => {
        dialled.push(key)
        if (to_number.endsWith("7")) {
          throw new DialRefused({
            outcome: "failed",
            sub_status: "invalid_number",
            code: "21211",
            message: "no such number"
          })
        }
        return "carrier-1"
      }
    }
    await within({ carrier }, async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const events = outdial.events()
      const call = await outdial.calls.place(workspace, { agent_id, to_number: "+14155550127" })
      const [completed] = await eventsOf(events, 1)
      assert.equal(completed?.call_id, call.call_id)
      const ended = await outdial.calls.get(workspace, call.call_id)
      assert.deepEqual([ended.status, ended.sub_status], ["failed", "invalid_number"])
      assert.equal(dialled.length, 1)
    })
  },

  "promises are rejected with typed errors": () =>
    onShared(async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const draft = { agent_id, to_number: "+14155550123", idempotency_key: "once" }
      const { call_id } = await outdial.calls.place(workspace, draft)
      await assert.rejects(outdial.calls.place(workspace, draft), (error: unknown) => {
        assert.ok(error instanceof DuplicateKey)
        return error.call_id === call_id
      })
      await assert.rejects(outdial.calls.place(workspace, { ...draft, to_number: "0123" }), InvalidInput)
    }),

  "the REST interface answers through fetch, under the same limits": () =>
    onShared(async (outdial) => {
      const { agent_id, key } = await tenant(outdial)
      const post = (body: string) =>
        outdial.fetch(
          new Request("http://localhost/v0/calls", {
            method: "POST",
            headers: { "x-api-key": key, "content-type": "application/json" },
            body
          })
        )
      const placed = await post(
        `{"agent_id":"${agent_id}","to_number":"+14155550123","metadata":{"n":1.0,"big":12345678901234567890}}`
      )
      assert.equal(placed.status, 200)
      const text = await placed.text()
      assert.ok(text.includes('"metadata":{"n":1.0,"big":12345678901234567890}'), "metadata is verbatim")
      const { call_id } = JSON.parse(text) as { readonly call_id: string }
      const read = await outdial.fetch(
        new Request(`http://localhost/v0/calls/${call_id}`, { headers: { "x-api-key": key } })
      )
      assert.equal(((await read.json()) as { readonly call_id: string }).call_id, call_id)
      const large = await post(`{"metadata":"${"x".repeat(300_000)}"}`)
      assert.equal(large.status, 413)
      await large.text()
      const openApi = await outdial.fetch(new Request("http://localhost/openapi.json"))
      assert.equal(((await openApi.json()) as { readonly openapi: string }).openapi, "3.1.0")
    }),

  "a file of recipients is imported": () =>
    onShared(async (outdial) => {
      const { agent_id, workspace } = await tenant(outdial)
      const campaign = await outdial.campaigns.create(workspace, { name: "Spring", agent_id })
      const file = "phone,name\n+14155550123,Ada\nnonsense,Bob\n"
      const imported = await outdial.imports.upload(workspace, campaign.id, { filename: "people.csv", file })
      assert.deepEqual(
        [imported.import.accepted_rows, imported.import.rejected_rows, imported.recipients.length],
        [1, 1, 1]
      )
    })
}

/** What is the same on every store. */
const storeless = "in a process of its own"

let failed = 0
for (const [n, named] of process.argv.slice(2).entries()) {
  store = named
  for (const [name, test] of Object.entries(tests)) {
    if (n > 0 && name.endsWith(storeless)) continue
    try {
      await test()
      process.stdout.write(`ok ${n}: ${name}\n`)
    } catch (error) {
      failed += 1
      process.stdout.write(`not ok ${n}: ${name}\n${error instanceof Error ? error.stack : String(error)}\n`)
    }
  }
  await platform?.dispose()
  platform = undefined
}
process.exitCode = failed === 0 ? 0 : 1
