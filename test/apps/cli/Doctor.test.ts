import { join } from "node:path"
import { access, mkdir, writeFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { serve } from "../../../adapters/simulated/CarrierServer.ts"
import { type Finding, render } from "../../../apps/cli/doctor/Finding.ts"
import { checkClockAgainst, checkNode, machine } from "../../../apps/cli/doctor/Machine.ts"
import { misspelt } from "../../../apps/cli/doctor/Settings.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { PhoneNumbers } from "../../../core/usecases/PhoneNumbers.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import {
  makeCall,
  makeDelivery,
  makeEvent,
  makeWebhook,
  settle
} from "../../contracts/repository/Fixtures.ts"
import { type Answer, asText, listen } from "../../Listener.ts"
import { closedPort, freePort } from "../../programs/Processes.ts"
import { commandLine, documentOf, folder, newWorkspace, onNewDatabase, type Ran } from "./commandLine.ts"

interface Report {
  readonly healthy: boolean
  readonly checks: ReadonlyArray<Finding>
}

const found = (ran: Ran, check: string): ReadonlyArray<string> =>
  documentOf<Report>(ran)
    .checks.filter((finding) => finding.check === check)
    .map(({ message, status }) => `${status}: ${message}`)

const listening = (answer: Answer) => Effect.map(listen(asText, answer), ({ port }) => port)

describe("doctor", () => {
  it.scopedLive("finds nothing amiss in a workspace with all that a call needs, and ends with 0", () =>
    Effect.gen(function* () {
      const PORT = String(yield* freePort)
      const { inStore, run } = yield* onNewDatabase({ PORT })
      yield* inStore(
        Effect.gen(function* () {
          const { id } = yield* (yield* Workspaces).create({ name: "Acme" })
          const agents = yield* Agents
          const agent = yield* agents.create(id, {
            name: "Reminder",
            channel: "voice",
            prompt: "Be brief.",
            first_message: "Hello",
            voice: "default",
            language: "en-US",
            idle_timeout_warning: 10,
            idle_timeout_end: 30,
            max_call_length: 600
          })
          yield* agents.update(id, agent.id, { published: true })
          yield* (yield* PhoneNumbers).add(id, { number: "+14155550100", label: null })
          yield* (yield* Credits).topUp(id, 10, null)
          yield* (yield* Workspaces).createKey(id, { name: "k", scopes: allScopes })
        }).pipe(Effect.orDie)
      )
      const ran = yield* run("doctor", "--json")
      const { checks, healthy } = documentOf<Report>(ran)
      assert.deepStrictEqual(
        checks.filter(({ status }) => status !== "ok"),
        []
      )
      assert.isTrue(healthy)
      assert.strictEqual(ran.code, 0)
      assert.match((yield* run("doctor")).out, /\n\nAll is well\.\n$/)
    })
  )

  it.scopedLive("tells what each workspace lacks", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const ids = yield* Effect.replicateEffect(newWorkspace(run), 5)
      yield* run("credits", "add", "--workspace", ids[0]!, "5")
      const ran = yield* run("doctor", "--json")
      assert.strictEqual(ran.code, 0)
      const newest = [...ids].reverse()
      assert.deepStrictEqual(found(ran, "workspaces"), [
        `warning: 5 workspaces with no phone number: ${newest.slice(0, 3).join(", ")} and 2 more`,
        `warning: 5 workspaces with no published voice agent: ${newest.slice(0, 3).join(", ")} and 2 more`,
        `warning: 4 workspaces with no credits: ${newest.slice(0, 3).join(", ")} and 1 more`,
        `warning: 5 workspaces with no API key: ${newest.slice(0, 3).join(", ")} and 2 more`
      ])
    })
  )

  it.scopedLive("counts disabled webhooks, dead deliveries and calls that are overdue", () =>
    Effect.gen(function* () {
      const { inStore, run } = yield* onNewDatabase()
      const id = yield* newWorkspace(run)
      yield* inStore(
        Effect.gen(function* () {
          const rows = yield* Repository
          const own = { customer_id: id }
          const ago = (minutes: number) => Date.now() - minutes * 60_000
          yield* rows.webhooks.insert(makeWebhook(1, { ...own, status: "disabled", disabled_reason: "gone" }))
          yield* rows.webhooks.insert(makeWebhook(2, { ...own, status: "active" }))
          for (const n of [1, 2, 3]) {
            const webhook_id = makeWebhook(2).id
            const event = makeEvent(n, own)
            const delivery = makeDelivery(n, { ...own, webhook_id, event_id: event.id, call_id: `call_${n}` })
            yield* rows.deliveries.append([{ event: event, deliveries: [delivery] }])
            yield* settle(
              rows.deliveries,
              { ...delivery, status: n === 3 ? "delivered" : "dead", next_attempt_at: null },
              ago(0)
            )
          }
          yield* rows.calls.insert(makeCall(1, { ...own, phase: "live", due_at: ago(5) }))
          yield* rows.calls.insert(makeCall(2, { ...own, phase: "live", due_at: ago(-5) }))
          yield* rows.calls.insert(makeCall(3, { ...own, phase: "waiting", due_at: ago(2) }))
          yield* rows.calls.insert(makeCall(4, { ...own, phase: "waiting", due_at: ago(3) }))
          yield* rows.calls.insert(makeCall(5, { ...own, phase: "waiting", due_at: ago(0) }))
        })
      )
      const ran = yield* run("doctor", "--json")
      assert.deepStrictEqual(found(ran, "webhooks"), [
        `warning: 1 webhook disabled: ${makeWebhook(1).id}`,
        `warning: 2 dead deliveries in ${id}: redeliver or leave`
      ])
      const [overdue, late, ...rest] = found(ran, "calls")
      assert.match(overdue!, new RegExp(`^warning: 1 call under way .* in ${id}`))
      assert.match(late!, new RegExp(`^warning: 2 calls due for more than a minute, in ${id}`))
      assert.deepStrictEqual(rest, [])
    })
  )

  it.scopedLive("makes no database where there is none", () =>
    Effect.gen(function* () {
      const { filename, run } = yield* onNewDatabase()
      const ran = yield* run("doctor", "--json")
      assert.match(found(ran, "database")[0]!, /^warning: there is none yet/)
      assert.isTrue(
        yield* Effect.promise(() =>
          access(filename).then(
            () => false,
            () => true
          )
        )
      )
    })
  )

  it.scopedLive("ends with 1 when the database cannot be used, and checks the rest all the same", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* Effect.promise(() => writeFile(join(path, "noise.db"), "no database at all".repeat(1_000)))
      yield* Effect.promise(() => mkdir(join(path, "folder.db")))
      for (const [file, message] of [
        ["noise.db", /^broken: .*the file is not an Outdial database/],
        ["folder.db", /^broken: .* is not a file$/],
        ["none/x.db", /^broken: its folder .* is not there/]
      ] as const) {
        const ran = yield* commandLine({ OUTDIAL_DATABASE_URL: `sqlite:${join(path, file)}` })(
          "doctor",
          "--json"
        )
        assert.strictEqual(ran.code, 1)
        assert.match(found(ran, "database")[0]!, message)
        assert.isFalse(documentOf<Report>(ran).healthy)
        assert.isNotEmpty(found(ran, "server"))
      }
    })
  )

  it.scopedLive("tells a server that runs from a port that is free, not ready or taken", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const server = (port: number) =>
        Effect.map(
          commandLine({ OUTDIAL_DATABASE_URL: "memory:", PORT: String(port) })("doctor", "--json"),
          (ran) => found(ran, "server")[0]
        )
      const answering = (ready: number) =>
        listening(({ path, response }) =>
          path === "/health/ready" ? response.writeHead(ready).end() : response.end('{"status":"live"}')
        )
      const [runs, waits] = [yield* answering(200), yield* answering(503)]
      const other = yield* listening(({ response }) => response.writeHead(404).end())
      const free = yield* freePort
      assert.strictEqual(yield* server(runs), `ok: it runs on http://127.0.0.1:${runs} and is ready`)
      assert.match((yield* server(waits))!, /^warning: it runs .* is not ready \(503\)$/)
      assert.match((yield* server(other))!, /^broken: port \d+ is taken by something that is not Outdial$/)
      assert.match((yield* server(free))!, /^ok: it does not run; port \d+ .* is free/)
      assert.isNotEmpty(found(yield* run("doctor", "--json"), "server"))
    })
  )

  it.scopedLive("asks the simulated carrier that runs as a process of its own", () =>
    Effect.gen(function* () {
      const carrier = (OUTDIAL_SIMULATED_URL: string) =>
        Effect.map(
          commandLine({ OUTDIAL_DATABASE_URL: "memory:", OUTDIAL_SIMULATED_URL })("doctor", "--json"),
          (ran) => found(ran, "carrier")[0]
        )
      const { url } = yield* serve({ ledgerFile: join(yield* folder, "carrier.ndjson") })
      assert.match((yield* carrier(url))!, /^ok: .* answers$/)
      assert.match((yield* carrier(`http://127.0.0.1:${yield* closedPort}`))!, /^broken: .* is out of reach/)
      assert.match((yield* carrier("not a url"))!, /^broken: OUTDIAL_SIMULATED_URL/)
    })
  )

  it.scopedLive("names settings that are not valid or not wise, and repeats no secret", () =>
    Effect.gen(function* () {
      const settings = {
        HOST: "0.0.0.0",
        OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
        OUTDIAL_PRICE_PER_MINUTE: "-1",
        OUTDIAL_JWT_SECRET: "hunter2",
        OUTDIAL_BOOTSTRAP_API_KEY: "hunter2",
        OUTDIAL_RECORDING_SECRET: "hunter2",
        OUTDIAL_JWT_JWKS_URL: "http://hunter2.example.com/keys",
        OUTDIAL_BASE_PATH: "api"
      }
      const { run } = yield* onNewDatabase(settings)
      const ran = yield* run("doctor", "--json")
      assert.strictEqual(ran.code, 1)
      const said = found(ran, "settings").join("\n")
      for (const line of [
        /^warning: HOST 0\.0\.0\.0 is open to the network/m,
        /^warning: OUTDIAL_WEBHOOK_ALLOW_PRIVATE is true/m,
        /^broken: OUTDIAL_PRICE_PER_MINUTE must be zero or more/m,
        /^broken: OUTDIAL_JWT_SECRET must have at least 32 bytes/m,
        /^broken: OUTDIAL_RECORDING_SECRET must have at least 32 bytes/m,
        /^warning: OUTDIAL_JWT_JWKS_URL is not https/m,
        /^broken: OUTDIAL_BOOTSTRAP_API_KEY must look like/m,
        /^broken: OUTDIAL_BASE_PATH must be a path/m
      ]) {
        assert.match(said, line)
      }
      assert.notInclude(ran.out + ran.err, "hunter2")
    })
  )

  it("names what is no setting, with the one that is probably meant, and leaves other names alone", () => {
    assert.deepStrictEqual(
      misspelt([
        "OUTDIAL_DATABSE_URL",
        "OUTDIAL_JWT_SECRET",
        "OUTDIAL_API_KEY",
        "OUTDIAL_GREETING",
        "PATH"
      ]).map(({ message }) => message),
      [
        "OUTDIAL_DATABSE_URL is no setting: OUTDIAL_DATABASE_URL is probably meant",
        "OUTDIAL_GREETING is no setting"
      ]
    )
  })

  it.effect("takes a clock that stands in the past for broken", () =>
    Effect.gen(function* () {
      const [, clock, zones] = yield* machine()
      assert.include(clock, { check: "clock", status: "broken" })
      assert.include(zones, { check: "time zones", status: "ok" })
    })
  )

  it("warns of a clock that is behind the newest record, and of an old Node", () => {
    assert.isUndefined(checkClockAgainst(1_000_000, 1_000_000))
    assert.strictEqual(checkClockAgainst(1_000_000, 900_000)?.status, "warning")
    assert.strictEqual(checkNode("18.20.1").status, "broken")
    assert.strictEqual(checkNode("20.11.1").status, "broken")
    assert.strictEqual(checkNode("20.12.0").status, "ok")
    assert.strictEqual(checkNode("22.1.0").status, "ok")
  })

  it("is aligned, wraps on a terminal alone, and has colours where they are wanted", () => {
    const findings: ReadonlyArray<Finding> = [
      { check: "node", status: "ok", message: "fine" },
      { check: "database", status: "broken", message: "a message that is longer than the terminal is wide" }
    ]
    assert.strictEqual(
      render(findings, undefined, false),
      [
        "ok       node      fine",
        "broken   database  a message that is longer than the terminal is wide",
        "",
        "1 broken, 0 warnings."
      ].join("\n")
    )
    assert.include(
      render(findings, 50, false),
      "database  a message that is longer than\n                   the terminal is wide"
    )
    assert.include(render(findings, undefined, true), "\u001b[31mbroken\u001b[0m   database")
  })
})
