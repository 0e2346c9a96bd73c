import { join } from "node:path"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { Effect, Fiber } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import * as Multipart from "../../../../adapters/http/handlers/Multipart.ts"
import { type Answer, asText, listen } from "../../../Listener.ts"
import { commandLine, documentOf, folder } from "../commandLine.ts"
import { json, key, refusal, screenOf, serving } from "../serving.ts"

const errorsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    row: i + 2,
    error: "the phone number is missing",
    value: `v${i}`
  }))

const record = (accepted: number, rejected: number) => ({
  id: "imp_1",
  campaign_id: "camp_1",
  filename: "a.csv",
  source_uri: null,
  status: rejected === 0 ? "completed" : "completed_with_errors",
  total_rows: accepted + rejected,
  accepted_rows: accepted,
  rejected_rows: rejected,
  errors: errorsOf(rejected),
  metadata: { content_type: "text/csv" },
  created_at: "2026-02-03T04:05:06.000Z",
  completed_at: "2026-02-03T04:05:07.000Z"
})

const answer = (accepted: number, rejected: number) =>
  `{"recipients":[${Array(accepted).fill('{"id":"rcpt_1","variables":{"n":"}]"}}').join(",")}]` +
  `,"import":${JSON.stringify(record(accepted, rejected))}}`

const exec = promisify(execFile)

/** A file of a folder of its own. */
const fileOf = (name: string, content: string | Uint8Array) =>
  Effect.flatMap(folder, (path) =>
    Effect.promise(async () => {
      await writeFile(join(path, name), content)
      return join(path, name)
    })
  )

describe("campaign import", () => {
  it.scopedLive("sends the file byte for byte as the one part of a form, under its own name", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, answer(2, 0)))
      const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * 7) % 256))
      const path = yield* fileOf('Kunden "é".csv', bytes)
      const ran = yield* run("campaign", "import", "camp_1", path)
      assert.deepStrictEqual(ran, { code: 0, out: "ROWS      2\nACCEPTED  2\nREJECTED  0\n", err: "" })
      const { body, headers, method, path: asked } = requests[0]!
      assert.strictEqual(`${method} ${asked}`, "POST /v0/campaigns/camp_1/recipients/import")
      assert.strictEqual(headers["content-length"], String(body.length))
      const parts = Multipart.parse(body, Multipart.boundaryOf(headers["content-type"])!, 2)!
      assert.deepStrictEqual(
        parts.map(({ filename, name }) => ({ filename, name })),
        [{ filename: "Kunden %22é%22.csv", name: "file" }]
      )
      assert.isTrue(bytes.equals(parts[0]!.content))
    })
  )

  it.scopedLive("shows the first twenty row errors, and where the others are", () =>
    Effect.gen(function* () {
      const { run } = yield* serving((_, response) => json(response, answer(1, 1_025)))
      const path = yield* fileOf("a.csv", "phone\n")
      const ran = yield* run("campaign", "import", "camp_1", path)
      assert.strictEqual(ran.code, 0)
      const lines = ran.out.trimEnd().split("\n")
      assert.deepStrictEqual(lines.slice(0, 5), [
        "ROWS      1026",
        "ACCEPTED  1",
        "REJECTED  1025",
        "",
        "ROW  ERROR                        VALUE"
      ])
      assert.strictEqual(lines[24], " 21  the phone number is missing  v19")
      assert.strictEqual(lines.at(-1), "1,005 more row errors. --errors FILE writes them all, as CSV.")

      const errors = join(yield* folder, "rejected.csv")
      const kept = yield* run("campaign", "import", "camp_1", path, "--errors", errors)
      assert.match(kept.out, /\n1,005 more row errors\. All are in .+rejected\.csv\.\n$/)
      const rows = (yield* Effect.promise(() => readFile(errors, "utf8"))).trimEnd().split("\r\n")
      assert.strictEqual(rows.length, 1_026)
      assert.strictEqual(rows[1_025], "1026,the phone number is missing,v1024")
    })
  )

  it.scopedLive("ends with 1 for a rejected row where that is wanted, and with 0 for none", () =>
    Effect.gen(function* () {
      const { run } = yield* serving((_, response, nth) => json(response, answer(3, nth === 1 ? 1 : 0)))
      const path = yield* fileOf("a.csv", "phone\n")
      const strict = run("campaign", "import", "camp_1", path, "--strict", "--json")
      const rejected = yield* strict
      assert.strictEqual(rejected.code, 1)
      assert.deepStrictEqual(documentOf(rejected), record(3, 1))
      assert.deepStrictEqual(yield* strict, { code: 0, out: `${JSON.stringify(record(3, 0))}\n`, err: "" })
    })
  )

  it.scopedLive("draws the way of the file and then the rows, and leaves the screen clean", () =>
    Effect.gen(function* () {
      const { awaitShown, screen, shown, written } = screenOf(60)
      let goOn = () => {}
      const { run } = yield* serving(
        (_, response) => {
          const text = answer(5, 0)
          response.writeHead(200)
          response.write(text.slice(0, 100))
          goOn = () => void response.end(text.slice(100))
        },
        { screen }
      )
      const path = yield* fileOf("a.csv", "phone\n".repeat(5_000))
      const running = yield* Effect.fork(run("campaign", "import", "camp_1", path, "--json"))
      yield* awaitShown(/Adding.* 3 recipients/)
      goOn()
      const ran = yield* Fiber.join(running)
      assert.deepStrictEqual(documentOf(ran), record(5, 0))
      assert.match(written.join(""), /Uploading \[ *>? *=*\] +\d+%/)
      assert.strictEqual(shown(), "")
      for (const line of written) assert.isAtMost(line.replace("\r\u001b[K", "").length, 59)
    })
  )

  it.scopedLive("reads from a pipe, whose length is not known", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, answer(1, 0)))
      const path = join(yield* folder, "pipe")
      yield* Effect.promise(() => exec("mkfifo", [path]))
      const writing = yield* Effect.fork(Effect.promise(() => writeFile(path, "phone\n+14155550123\n")))
      const ran = yield* run("campaign", "import", "camp_1", path)
      yield* Fiber.join(writing)
      assert.strictEqual(ran.code, 0, ran.err)
      assert.strictEqual(requests[0]!.headers["transfer-encoding"], "chunked")
      assert.include(requests[0]!.body.toString(), "\r\n\r\nphone\n+14155550123\n\r\n--")
    })
  )

  it.scopedLive("says what is wrong with the file before it asks the server", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, answer(1, 0)))
      const path = yield* folder
      yield* Effect.promise(() => mkdir(join(path, "taken")))
      yield* Effect.promise(() => writeFile(join(path, "big.csv"), Buffer.alloc(5 * 1_048_576 + 1)))
      for (const [name, message] of [
        ["none.csv", "cannot be read: there is no such file or folder"],
        ["taken", "cannot be read: it is a folder"],
        ["big.csv", "has 5.0 MB: a file of at most 5 MB can be imported, so split it"]
      ] as const) {
        assert.deepStrictEqual(yield* run("campaign", "import", "camp_1", join(path, name)), {
          code: 1,
          out: "",
          err: `outdial: ${join(path, name)} ${message}\n`
        })
      }
      assert.deepStrictEqual(requests, [])
    })
  )

  it.scopedLive("shows a refusal that comes before the file has gone out", () =>
    Effect.gen(function* () {
      const refusing: Answer = ({ response }) => json(response, refusal("not_found", "no such campaign"), 404)
      const { url } = yield* listen(asText, refusing, { unread: true })
      const path = yield* fileOf("a.csv", Buffer.alloc(5_000_000, "1"))
      const run = commandLine({ OUTDIAL_URL: `${url}/v0`, OUTDIAL_API_KEY: key })
      assert.deepStrictEqual(yield* run("campaign", "import", "camp_1", path), {
        code: 1,
        out: "",
        err: "outdial: no such campaign (not_found)\n"
      })
    })
  )

  it.scopedLive("that breaks off says how to go on, and is not sent again by itself", () =>
    Effect.gen(function* () {
      const { requests, run, url } = yield* serving((_, response, nth) => {
        response.writeHead(200)
        const text = answer(5, 0)
        if (nth === 1) return void response.write(text.slice(0, 100), () => response.destroy())
        response.end(["", text.slice(0, -2), "<html>", '{"import":{"id":1}}'][nth - 1])
      })
      const path = yield* fileOf("a.csv", "phone\n")
      const importing = run("campaign", "import", "camp_1", path)
      const broken = yield* importing
      assert.strictEqual(broken.code, 1)
      assert.match(broken.err, /^What was added stays added; import the same file again to go on: .+\n/)
      assert.include(broken.err, `outdial: the connection to ${url} was lost\n`)
      assert.strictEqual(requests.length, 1)
      const failed = Effect.map(importing, ({ code, err }) => `${code} ${err}`)
      const unusable = `1 outdial: the answer of ${url} is not usable: `
      assert.strictEqual(yield* failed, `${unusable}it ended early\n`)
      assert.strictEqual(yield* failed, `${unusable}it is not the answer to an import\n`)
      assert.include(yield* failed, `what answers at ${url} is not Outdial's interface`)
    })
  )
})
