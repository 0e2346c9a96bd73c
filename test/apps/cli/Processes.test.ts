import { join } from "node:path"
import { type ChildProcess, spawn } from "node:child_process"
import { Deferred, Effect, Fiber, Ref, Schedule } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { readFile } from "node:fs/promises"
import { Credits } from "../../../core/usecases/Credits.ts"
import { programs } from "../../programs/Programs.ts"
import { campaign } from "./campaign/record.ts"
import { documentOf, folder, newWorkspace, onNewDatabase, type Ran } from "./commandLine.ts"
import { json, key, serving } from "./serving.ts"
import { suite, summary } from "./suite/record.ts"

const start = (
  filename: string,
  args: ReadonlyArray<string>,
  settings: Readonly<Record<string, string>> = {}
): Effect.Effect<ChildProcess> =>
  Effect.map(programs, ({ outdial }) =>
    spawn(process.execPath, [outdial, ...args], {
      env: { PATH: process.env["PATH"], OUTDIAL_DATABASE_URL: `sqlite:${filename}`, ...settings }
    })
  )

const ended = (child: ChildProcess) =>
  Effect.async<Ran>((resume) => {
    const written = { out: "", err: "" }
    child.stdout!.on("data", (chunk: Buffer) => (written.out += chunk.toString()))
    child.stderr!.on("data", (chunk: Buffer) => (written.err += chunk.toString()))
    child.on("close", (code) => resume(Effect.succeed({ code: code ?? -1, ...written })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

/** Runs a command as its user does: in a process of its own. */
const spawned = (filename: string, ...args: ReadonlyArray<string>) =>
  Effect.flatMap(start(filename, args), ended)

const timeout = 60_000

describe("the program", () => {
  it.scopedLive(
    "writes while the server writes to the same file, and neither loses anything",
    () =>
      Effect.gen(function* () {
        const { filename, inStore, run } = yield* onNewDatabase()
        const id = yield* newWorkspace(run)
        const commands = 4
        const { balance, serverWrites } = yield* inStore(
          Effect.gen(function* () {
            const credits = yield* Credits
            const written = yield* Ref.make(0)
            const write = credits
              .topUp(id, 1, null)
              .pipe(Effect.orDie, Effect.zipRight(Ref.update(written, (n) => n + 1)), Effect.uninterruptible)
            const server = yield* Effect.fork(Effect.repeat(write, Schedule.spaced("5 millis")))
            const add = spawned(filename, "credits", "add", "--workspace", id, "1000000", "--json")
            const answers = yield* Effect.replicateEffect(add, commands, { concurrency: 2 })
            yield* Fiber.interrupt(server)
            for (const ran of answers) {
              assert.strictEqual(ran.code, 0, ran.err)
              assert.strictEqual(ran.err, "")
              assert.include(documentOf<object>(ran), { customer_id: id, amount: 1_000_000 })
            }
            return { balance: yield* credits.balance(id), serverWrites: yield* Ref.get(written) }
          })
        )
        assert.isAbove(serverWrites, 0)
        assert.strictEqual(balance, commands * 1_000_000 + serverWrites)
      }),
    timeout
  )

  it.scopedLive(
    "two first commands at once make one database between them",
    () =>
      Effect.gen(function* () {
        const { filename, run } = yield* onNewDatabase()
        const create = (name: string) => spawned(filename, "workspace", "create", "--name", name, "--json")
        const made = yield* Effect.all([create("one"), create("two")], { concurrency: 2 })
        for (const ran of made) assert.strictEqual(ran.code, 0, ran.err)
        const listed = documentOf<{ readonly data: ReadonlyArray<object> }>(
          yield* run("workspace", "list", "--json")
        )
        assert.strictEqual(listed.data.length, 2)
      }),
    timeout
  )

  it.scopedLive(
    "answers an expected error with one line on stderr and 1, and a mistake of usage with 2",
    () =>
      Effect.gen(function* () {
        const { filename } = yield* onNewDatabase()
        const [failed, misused] = yield* Effect.all(
          [
            spawned(join(filename, "no", "folder.db"), "workspace", "list"),
            spawned(filename, "credits", "show", "--workspace")
          ],
          { concurrency: 2 }
        )
        assert.strictEqual(failed.code, 1)
        assert.match(failed.err, /^outdial: the database cannot be used: [^\n]+\n$/)
        assert.strictEqual(misused.code, 2)
        assert.match(misused.err, /^outdial: [^\n]+\n$/)
        assert.strictEqual(failed.out + misused.out, "")
      }),
    timeout
  )

  it.scopedLive(
    "carrier listens, keeps its ledger, says how to point the server at it, and ends when it is told to",
    () =>
      Effect.gen(function* () {
        const ledger = join(yield* folder, "carrier.ndjson")
        const child = yield* Effect.acquireRelease(
          start("unused.db", ["carrier", "--port", "0", "--ledger", ledger]),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        const said = yield* Effect.async<string>((resume) => {
          let text = ""
          child.stdout!.on("data", (chunk: Buffer) => {
            text += chunk.toString()
            if (text.includes("npm start")) resume(Effect.succeed(text))
          })
        })
        const url = /OUTDIAL_SIMULATED_URL=(http:\/\/127\.0\.0\.1:\d+) npm start/.exec(said)![1]!
        assert.strictEqual((yield* Effect.promise(() => fetch(`${url}/ping`))).status, 204)
        const ended = yield* Effect.fork(
          Effect.async<number | null>(
            (resume) => void child.on("close", (code) => resume(Effect.succeed(code)))
          )
        )
        yield* Effect.yieldNow()
        child.kill("SIGINT")
        assert.notStrictEqual(yield* Fiber.join(ended), null)
        assert.isString(yield* Effect.promise(() => readFile(ledger, "utf8")))
      }),
    timeout
  )

  it.scopedLive(
    "watching a campaign ends at Ctrl-C with 130, says so, and asks nothing more of the server",
    () =>
      Effect.gen(function* () {
        const { requests, url } = yield* serving((_, response) => json(response, campaign()))
        const child = yield* Effect.acquireRelease(
          start("unused.db", ["campaign", "watch", "camp_1"], { OUTDIAL_URL: url, OUTDIAL_API_KEY: key }),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        const written = { out: "", err: "" }
        const watching = Effect.async<void>((resume) => {
          child.stdout!.on("data", (chunk: Buffer) => {
            written.out += chunk.toString()
            resume(Effect.void)
          })
        })
        child.stderr!.on("data", (chunk: Buffer) => (written.err += chunk.toString()))
        yield* watching
        child.kill("SIGINT")
        const code = yield* Effect.async<number | null>(
          (resume) => void child.on("close", (code) => resume(Effect.succeed(code)))
        )
        assert.strictEqual(code, 130)
        assert.strictEqual(written.err, "No longer watching; the campaign goes on.\n")
        assert.match(written.out, /^\S+ \S+ {2}running {2}0\/10 done {2}0 in progress {2}0 answered\n$/)
        assert.isTrue(requests.every(({ method }) => method === "GET"))
      }),
    timeout
  )

  it.scopedLive(
    "running a suite cancels the run at the server at Ctrl-C, says so, and ends with 130",
    () =>
      Effect.gen(function* () {
        const page = { data: [summary()], pagination: { total: 1 } }
        const { requests, url } = yield* serving(({ method, path }, response) => {
          if (method === "POST") return json(response, summary())
          json(response, path.includes("/agent-test-suites/") ? suite() : page)
        })
        const child = yield* Effect.acquireRelease(
          start("unused.db", ["suite", "run", "suite_1"], { OUTDIAL_URL: url, OUTDIAL_API_KEY: key }),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        const written = { out: "", err: "" }
        child.stdout!.on("data", (chunk: Buffer) => (written.out += chunk.toString()))
        yield* Effect.async<void>((resume) => {
          child.stderr!.on("data", (chunk: Buffer) => {
            written.err += chunk.toString()
            if (written.err.includes("running")) resume(Effect.void)
          })
        })
        child.kill("SIGINT")
        const code = yield* Effect.async<number | null>(
          (resume) => void child.on("close", (code) => resume(Effect.succeed(code)))
        )
        assert.strictEqual(code, 130)
        assert.strictEqual(written.out, "")
        assert.match(
          written.err,
          /^Run run_1 has begun: 3 plays\.\n\S+ \S+ {2}running {2}0\/3 done {2}.*\nRun run_1 is cancelled\.\n$/
        )
        assert.deepInclude(requests.at(-1), { method: "POST", path: "/v0/agent-test-runs/run_1/cancel" })
      }),
    timeout
  )

  it.scopedLive(
    "an export whose reader has seen enough ends, and fetches no more",
    () =>
      Effect.gen(function* () {
        const line = `${"x".repeat(1_000)}\n`
        const stopped = yield* Deferred.make<void>()
        const { url } = yield* serving((_, response) => {
          const more = () => {
            while (response.write(line)) {}
          }
          response.on("drain", more)
          response.on("close", () => Deferred.unsafeDone(stopped, Effect.void))
          response.writeHead(200)
          more()
        })
        const child = yield* Effect.acquireRelease(
          start("unused.db", ["campaign", "export", "camp_1"], { OUTDIAL_URL: url, OUTDIAL_API_KEY: key }),
          (child) => Effect.sync(() => child.kill("SIGKILL"))
        )
        const ended = yield* Effect.fork(
          Effect.async<void>((resume) => void child.on("exit", () => resume(Effect.void)))
        )
        yield* Effect.async<void>((resume) => void child.stdout!.once("data", () => resume(Effect.void)))
        child.stdout!.destroy()
        yield* Deferred.await(stopped)
        yield* Fiber.join(ended)
      }),
    timeout
  )
})
