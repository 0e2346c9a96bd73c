import { Context, Deferred, Effect, Exit, Fiber, Layer, Option, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as http from "node:http"
import * as net from "node:net"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as Http from "../../../adapters/http/server/Http.ts"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { PhoneNumbers } from "../../../core/usecases/PhoneNumbers.ts"
import { xlsxFile } from "../tables/Fixtures.ts"
import { startCampaigns } from "./CampaignServer.ts"
import { bodyOf, captured, exchange, form, type FormPart, type Options, type Reply } from "./Harness.ts"

const number = (n: number) => `+1415${String(5_550_000 + n)}`
const limit = 5 * 1024 * 1024

const refused = (reply: Reply, status: number, mentions: string, name = mentions) => {
  assert.strictEqual(reply.status, status, `${name}: ${reply.text}`)
  assert.strictEqual(reply.json.error.code, "invalid_request")
  assert.include(reply.json.error.message, mentions, name)
  assert.notInclude(reply.text, "415555", name)
}

/** A server with one campaign to import into. */
const startImports = Effect.fnUntraced(function* (options: Options = {}) {
  const server = yield* startCampaigns(options)
  const id = yield* server.campaign()
  const path = `/campaigns/${id}/recipients/import`
  const upload = (...parts: ReadonlyArray<FormPart>) => server.call(path, form(...parts))
  const total = Effect.map(server.call(`/campaigns/${id}`), ({ json }) => json.stats.total as number)
  const imports = Effect.map(server.call(`/campaigns/${id}/imports`), ({ json }) => json.data)
  /** The last import, once it has ended. */
  const ended = imports.pipe(
    Effect.map(([last]) => last),
    Effect.delay("10 millis"),
    Effect.repeat({ until: ({ status }) => status !== "processing" })
  )
  return { ...server, id, path, upload, total, imports, ended }
})

describe("POST /campaigns/{campaign_id}/recipients/import", () => {
  it.scopedLive("adds the good rows, tells the others, and answers both in the contract's shapes", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const content = [
        "name,phone_number,City",
        `Ada,${number(1)},"Paris, 15e"`,
        `Grace,call me,`,
        `Bob,+1 (415) 555-0002,`,
        `Ada,${number(1)},Rome`,
        "Eve,1.4155E+10,"
      ].join("\r\n")
      const reply = yield* server.upload({ content, filename: "list.csv", type: "application/vnd.ms-excel" })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers["content-type"], "application/json")
      assert.deepStrictEqual(Object.keys(reply.json), ["recipients", "import"])
      const [ada, bob] = reply.json.recipients
      assert.strictEqual(reply.json.recipients.length, 2)
      assert.deepInclude(ada, {
        campaign_id: server.id,
        phone_number_masked: "+*******0001",
        status: "pending",
        variables: { name: "Ada", City: "Paris, 15e" },
        msg_context: {},
        outcome: {},
        answers: {}
      })
      assert.deepInclude(bob, { phone_number_masked: "+*******0002", variables: { name: "Bob", City: "" } })
      const { completed_at, created_at, errors, id, ...record } = reply.json.import
      assert.match(id, /^imp_/)
      for (const time of [completed_at, created_at]) assert.strictEqual(new Date(time).toISOString(), time)
      assert.deepStrictEqual(record, {
        campaign_id: server.id,
        filename: "list.csv",
        source_uri: null,
        status: "completed_with_errors",
        total_rows: 5,
        accepted_rows: 2,
        rejected_rows: 3,
        metadata: { content_type: "text/csv" },
        errors_url: `/v0/campaigns/${server.id}/imports/${id}/errors.csv`
      })
      assert.deepStrictEqual(
        errors.map(({ row, value }: { row: number; value: string }) => [row, value]),
        [
          [3, "call me"],
          [5, number(1)],
          [6, "1.4155E+10"]
        ]
      )
      assert.include(errors[2].error, "enter it again as text")
      assert.strictEqual(yield* server.total, 2)
      const read = yield* server.call(`/campaigns/${server.id}/imports/${id}`)
      assert.deepStrictEqual(read.json, reply.json.import)
      assert.deepStrictEqual(yield* server.imports, [reply.json.import])
      const recipients = (yield* server.call(`/campaigns/${server.id}/recipients`)).json.data
      assert.sameDeepMembers(recipients, reply.json.recipients)
      const csv = yield* server.raw(record.errors_url, { headers: { "x-api-key": server.key } })
      assert.strictEqual(csv.headers["content-type"], "text/csv; charset=utf-8")
      assert.strictEqual(csv.headers["content-disposition"], `attachment; filename="${id}-errors.csv"`)
      const [header, unreadable, repeated, exponent, ...rest] = csv.text.split("\r\n")
      assert.deepStrictEqual([header, rest], ["row,error,value", [""]])
      assert.match(unreadable!, /^3,.*,call me$/)
      assert.strictEqual(repeated, `5,repeats the phone number of row 2,'${number(1)}`)
      assert.match(exponent!, /^6,.*,1\.4155E\+10$/)
      const foreign = yield* server.call(`/campaigns/${server.id}/imports/imp_none/errors.csv`)
      assert.deepStrictEqual([foreign.status, foreign.json.error.code], [404, "not_found"])
      const none = yield* server.call(`/campaigns/${server.id}/imports/imp_none`)
      assert.deepStrictEqual([none.status, none.json.error.code], [404, "not_found"])
    })
  )

  it.scopedLive("tells a workbook by its content, and a second file's repeats by whom they repeat", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const content = xlsxFile([
        ["mobile", "name"],
        [number(1), "Ada"],
        [14155550002, "Bob"]
      ])
      const first = yield* server.upload({ content, filename: "list.csv", type: "text/csv" })
      assert.strictEqual(first.status, 200, first.text)
      const type = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
      assert.strictEqual(first.json.import.metadata.content_type, type)
      assert.deepInclude(first.json.import.errors[0], { row: 3, value: "14155550002" })
      const again = yield* server.upload({ content: `number\n${number(1)}\n${number(3)}\n` })
      assert.strictEqual(again.json.import.accepted_rows, 1)
      assert.include(again.json.import.errors[0].error, first.json.recipients[0].id)
      assert.strictEqual((yield* server.imports)[0].id, again.json.import.id)
    })
  )

  it.scopedLive("of a file without a good row answers empty recipients, of good rows alone no errors", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const bad = yield* server.upload({ content: "phone\nnobody\n" })
      assert.deepStrictEqual(bad.json.recipients, [])
      assert.strictEqual(bad.json.import.status, "completed_with_errors")
      const bare = yield* server.upload({ content: "phone\n" })
      assert.deepStrictEqual([bare.json.recipients, bare.json.import.total_rows], [[], 0])
      const good = yield* server.upload({ content: `phone\n${number(1)}` })
      assert.deepInclude(good.json.import, {
        status: "completed",
        errors: [],
        rejected_rows: 0,
        errors_url: null
      })
    })
  )

  it.scopedLive("streams tens of thousands of recipients and errors, complete and in order", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const rows = Array.from({ length: 40_000 }, (_, n) => (n % 4 === 3 ? `bad ${n}` : number(n)))
      const reply = yield* server.upload({ content: `phone\n${rows.join("\n")}` })
      assert.strictEqual(reply.headers["transfer-encoding"], "chunked")
      const { import: record, recipients } = reply.json
      assert.strictEqual(recipients.length, 30_000)
      assert.strictEqual(recipients[29_999].phone_number_masked, `+*******${number(39_998).slice(-4)}`)
      assert.deepInclude(record, { total_rows: 40_000, accepted_rows: 30_000, rejected_rows: 10_000 })
      assert.deepStrictEqual(
        record.errors.map(({ value }: { value: string }) => value),
        rows.filter((row) => row.startsWith("bad"))
      )
      assert.strictEqual((yield* server.imports)[0].errors.length, 1_000)
      assert.strictEqual(yield* server.total, 30_000)
    })
  )

  it.scopedLive(
    "of a file whose rows are refused lists the first 10,000 of them, and all of them as CSV",
    () =>
      Effect.gen(function* () {
        const server = yield* startImports()
        const count = 25_000
        const rows = Array.from({ length: count }, (_, n) => (n % 1_000 === 7 ? number(n) : `bad ${n}`))
        const { import: record } = (yield* server.upload({ content: `phone\n${rows.join("\n")}` })).json
        const refused = rows.flatMap((value, n) => (value.startsWith("bad") ? [{ row: n + 2, value }] : []))
        assert.deepInclude(record, { total_rows: count, accepted_rows: 25, rejected_rows: count - 25 })
        assert.deepStrictEqual(
          record.errors.map(({ row, value }: { row: number; value: string }) => ({ row, value })),
          refused.slice(0, 10_000)
        )
        const csv = yield* server.raw(record.errors_url, { headers: { "x-api-key": server.key } })
        const lines = csv.text.split("\r\n").slice(1, -1)
        assert.deepStrictEqual(
          lines.map((line) => [line.split(",").at(0), line.slice(line.lastIndexOf(",") + 1)]),
          refused.map(({ row, value }) => [String(row), value])
        )
      })
  )

  it.scopedLive("keeps the file's name without its folders, and of 255 characters at most", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      for (const [filename, kept] of [
        ["../../élèves.csv", "élèves.csv"],
        ["C:\\Users\\ada\\list.csv", "list.csv"],
        ["x".repeat(400), "x".repeat(255)],
        ["", "file"]
      ] as const) {
        const reply = yield* server.upload({ content: "phone\n", filename })
        assert.strictEqual(reply.json.import.filename, kept)
      }
    })
  )

  const boundary = "multipart/form-data; boundary=b"
  const part = (head: string, content = `phone\r\n${number(1)}\r\n`) =>
    `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
  const file = part('name="file"; filename="a.csv"')
  const oneFile = "one part named file"

  const broken: ReadonlyArray<
    readonly [name: string, type: string | undefined, body: string, mentions: string]
  > = [
    ["JSON", "application/json", "{}", oneFile],
    ["the file alone", "text/csv", `phone\r\n${number(1)}`, oneFile],
    ["no type", undefined, `${file}--b--`, oneFile],
    ["another multipart", "multipart/mixed; boundary=b", `${file}--b--`, oneFile],
    ["no boundary", "multipart/form-data", `${file}--b--`, oneFile],
    ["a boundary that is too long", `multipart/form-data; boundary=${"b".repeat(71)}`, "", oneFile],
    ["no body", boundary, "", "malformed"],
    ["another boundary", boundary, `--c\r\n\r\n--c--`, "malformed"],
    ["no last boundary", boundary, file, "malformed"],
    ["a last boundary cut short", boundary, `${file}--b-`, "malformed"],
    ["a head cut short", boundary, "--b\r\nContent-Disposition: form-data; na", "malformed"],
    ["a part without a head", boundary, "--b\r\n\r\nx\r\n--b--", "malformed"],
    ["no part", boundary, "--b--\r\n", "no part named file"],
    ["a field beside the file", boundary, `${part('name="note"', "x")}${file}--b--`, "alone"],
    ["a field after the file", boundary, `${file}${part('name="note"', "x")}--b--`, "alone"],
    ["a field in its place", boundary, `${part('name="note"', "x")}--b--`, "no part named file"],
    ["two files", boundary, `${file}${file}--b--`, "alone"],
    [
      "a file of another name",
      boundary,
      `${part('name="files"; filename="a.csv"')}--b--`,
      "no part named file"
    ],
    ["an empty file", boundary, `${part('name="file"; filename=""', "")}--b--`, "file"],
    ["no phone column", boundary, `${part('name="file"', "name\r\nAda")}--b--`, "phone column"],
    ["no header", boundary, `${part('name="file"', number(1))}--b--`, "header"],
    ["a NUL byte", boundary, `${part('name="file"', "phone\r\n\u0000")}--b--`, "file"]
  ]

  it.scopedLive(
    "answers 400 to what is no form with one file that is a table, and keeps nothing of it",
    () => {
      const log = captured()
      return Effect.gen(function* () {
        const server = yield* startImports()
        for (const [name, type, body, mentions] of broken) {
          const headers = { "x-api-key": server.key, ...(type !== undefined && { "content-type": type }) }
          refused(
            yield* server.raw(`/v0${server.path}`, { method: "POST", headers, body }),
            400,
            mentions,
            name
          )
        }
        const utf16 = Buffer.from(`\ufeffphone\n${number(1)}`, "utf16le")
        const pdf = Buffer.from("%PDF-1.7\n%\u00e2\u00e3", "latin1")
        const zip = Buffer.from("PK\u0003\u0004garbage", "latin1")
        for (const content of [utf16, pdf]) refused(yield* server.upload({ content }), 400, "file")
        refused(yield* server.upload({ content: zip }), 400, "spreadsheet")
        const packed = form({ content: `phone\n${number(1)}` })
        const headers = { ...packed.headers, "content-encoding": "gzip" }
        refused(yield* server.call(server.path, { ...packed, headers }), 400, oneFile)
        assert.deepStrictEqual(yield* server.imports, [])
        assert.strictEqual(yield* server.total, 0)
        assert.deepStrictEqual(log.lines, [])
        const plain = yield* server.raw(`/v0${server.path}`, {
          method: "POST",
          headers: { "x-api-key": server.key, "content-type": boundary },
          body: `${part('name="file"')}--b--`
        })
        assert.strictEqual(plain.json.import.filename, "file", plain.text)
      }).pipe(Effect.provide(log.layer))
    }
  )

  it.scopedLive("answers 400 once the campaign has ended, 404 when there is none", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const none = yield* server.call("/campaigns/camp_none/recipients/import", form({ content: "phone\n" }))
      assert.deepStrictEqual([none.status, none.json.error.code], [404, "not_found"])
      yield* server.patch(server.id, { status: "cancelled" })
      refused(yield* server.upload({ content: `phone\n${number(1)}` }), 400, "cancelled")
    })
  )
})

describe("an import behind a web handler", () => {
  it.scopedLive("lives until its answer has been read to the end", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const { handler } = HttpLayerRouter.toWebHandler(
        Http.routes({ basePath: "/v0", logRequests: false }).pipe(
          Layer.provide(Layer.merge(Layer.succeedContext(server.context), CarrierCallbacks.none))
        ),
        { disableLogger: true }
      )
      const rows = Array.from({ length: 3_000 }, (_, n) => number(n))
      const { body, headers, method } = form({ content: `phone\n${rows.join("\n")}` })
      const answer = yield* Effect.promise(async () => {
        const response = await handler(
          new Request(`http://localhost/v0${server.path}`, {
            method,
            headers: { ...headers, "x-api-key": server.key },
            body
          })
        )
        return (await response.json()) as { recipients: ReadonlyArray<object>; import: { status: string } }
      })
      assert.strictEqual(answer.recipients.length, 3_000)
      assert.strictEqual(answer.import.status, "completed")
      assert.deepStrictEqual(yield* server.imports, [answer.import])
    })
  )
})

describe.concurrent("an uploaded file's size", () => {
  it.scopedLive("may be 5 MB to the byte; one more is 413", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const rows = Array.from({ length: 200 }, (_, n) => `${number(n)},${"x".repeat(26_190)}\n`)
      const text = `phone,note\n${rows.join("")}`
      const rest = limit - text.length - number(200).length - 2
      assert.isAbove(rest, 0)
      assert.isBelow(rest, 29_000)
      const content = `${text}${number(200)},${"x".repeat(rest)}\n`
      assert.strictEqual(content.length, limit)
      const whole = yield* server.upload({ content })
      assert.strictEqual(whole.status, 200, whole.text.slice(0, 300))
      assert.strictEqual(whole.json.import.accepted_rows, 201)
      refused(yield* server.upload({ content: `${content}\n` }), 413, `${limit} bytes`)
      assert.strictEqual((yield* server.imports).length, 1)
    })
  )

  it.scopedLive("far beyond 5 MB is refused by its declared length, before any of it is sent", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const head =
        `POST /v0${server.path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${server.key}\r\n` +
        "content-type: multipart/form-data; boundary=b\r\n"
      const waits = yield* exchange(
        server.port,
        `${head}expect: 100-continue\r\ncontent-length: 99999999\r\n\r\n`
      )
      assert.match(waits, /^HTTP\/1\.1 413 /)
      assert.strictEqual(bodyOf(waits).error.code, "invalid_request")
      assert.include(bodyOf(waits).error.message, String(limit))
      assert.match(
        yield* exchange(server.port, `${head}content-length: 99999999\r\n\r\n--b`),
        /^HTTP\/1\.1 413 /
      )
    })
  )

  it.scopedLive("is bounded while it is sent in chunks too", () =>
    Effect.gen(function* () {
      const server = yield* startImports()
      const head =
        `POST /v0${server.path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${server.key}\r\n` +
        "content-type: multipart/form-data; boundary=b\r\ntransfer-encoding: chunked\r\n\r\n"
      const size = 1024 * 1024
      const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n`
      const reply = yield* exchange(server.port, head, chunk, chunk, chunk, chunk, chunk, chunk)
      assert.match(reply, /^HTTP\/1\.1 413 /)
      assert.deepStrictEqual(yield* server.imports, [])
    })
  )
})

/** An upload whose client has read nothing of the answer but its head. */
interface HalfRead {
  readonly leave: () => void
  /** Reads the rest of the answer. */
  readonly rest: Effect.Effect<string>
}

const halfRead = (port: number, path: string, { body, headers }: ReturnType<typeof form>, key: string) =>
  Effect.async<HalfRead, Error>((resume) => {
    const request = http.request(
      { port, path, method: "POST", headers: { ...headers, "x-api-key": key }, agent: false },
      (response) => {
        response.pause()
        response.on("error", () => {})
        const rest = Effect.promise(async () => Buffer.concat(await response.toArray()).toString())
        resume(Effect.succeed({ leave: () => void request.destroy(), rest }))
      }
    )
    request.on("error", (error) => resume(Effect.fail(error)))
    request.end(body)
  })

describe.concurrent("an import that breaks off", () => {
  it.scopedLive("because its client leaves while it uploads leaves nothing behind, and no error", () => {
    const log = captured()
    return Effect.gen(function* () {
      const server = yield* startImports({ logRequests: true })
      const before = log.lines.length
      const { body, headers } = form({ content: `phone\n${number(1)}\n` })
      yield* Effect.async<void>((resume) => {
        const request = http.request({
          port: server.port,
          path: `/v0${server.path}`,
          method: "POST",
          headers: { ...headers, "x-api-key": server.key, "content-length": 1_000_000 }
        })
        request.on("error", () => resume(Effect.void))
        request.write(body, () => request.destroy())
      })
      yield* log.awaitLines(before + 1)
      const line = JSON.parse(log.lines[before]!)
      assert.strictEqual(line.logLevel, "INFO")
      assert.include([400, 499], line.annotations.status)
      assert.deepStrictEqual(yield* server.imports, [])
      assert.strictEqual(yield* server.total, 0)
    }).pipe(Effect.provide(log.layer))
  })

  it.scopedLive(
    "because its client leaves while it reads goes no further, and is failed with what it added",
    () => {
      const log = captured()
      return Effect.gen(function* () {
        const server = yield* startImports({ logRequests: true })
        const rows = Array.from({ length: 100_000 }, (_, n) => `${number(n)},${"x".repeat(20)}`)
        const upload = form({ content: `phone,note\n${rows.join("\n")}` })
        const { leave } = yield* halfRead(server.port, `/v0${server.path}`, upload, server.key)
        const [begun] = yield* server.imports
        assert.strictEqual(begun.status, "processing")
        leave()
        const ended = yield* server.ended
        assert.strictEqual(ended.status, "failed")
        assert.isString(ended.completed_at)
        assert.isBelow(ended.accepted_rows, rows.length)
        assert.strictEqual(yield* server.total, ended.accepted_rows)
        assert.notInclude(log.lines.join("\n"), "ERROR")
        assert.notInclude(log.lines.join("\n"), "415555")
        const again = yield* server.call(server.path, upload)
        assert.strictEqual(again.json.import.accepted_rows, rows.length - ended.accepted_rows)
      }).pipe(Effect.provide(log.layer))
    },
    30_000
  )

  it.scopedLive(
    "because its client reads no more is given up",
    () => {
      const log = captured()
      return Effect.gen(function* () {
        const server = yield* startImports({ stallTimeout: "200 millis" })
        const rows = Array.from({ length: 100_000 }, (_, n) => `${number(n)},${"x".repeat(20)}`)
        const upload = form({ content: `phone,note\n${rows.join("\n")}` })
        yield* halfRead(server.port, `/v0${server.path}`, upload, server.key)
        const ended = yield* server.ended
        assert.strictEqual(ended.status, "failed")
        assert.isBelow(ended.accepted_rows, rows.length)
        assert.deepStrictEqual(log.lines, [])
      }).pipe(Effect.provide(log.layer))
    },
    30_000
  )

  it.scopedLive(
    "because the store fails breaks the connection, so that no client takes a part for the whole",
    () => {
      const log = captured()
      const failing = Layer.effect(
        Repository,
        Effect.map(Repository, (repository) => {
          let slices = 0
          const { insert } = repository.recipients
          const second = new Error("the second slice")
          return {
            ...repository,
            recipients: {
              ...repository.recipients,
              insert: (recipients) => (++slices > 1 ? Effect.die(second) : insert(recipients))
            }
          }
        })
      ).pipe(Layer.provide(MemoryRepository.layer))
      return Effect.gen(function* () {
        const server = yield* startImports({ repository: failing })
        const rows = Array.from({ length: 20_000 }, (_, n) => number(n))
        const reply = yield* Effect.exit(server.upload({ content: `phone\n${rows.join("\n")}` }))
        assert.isTrue(Exit.isFailure(reply))
        const [ended] = yield* server.imports
        assert.strictEqual(ended.status, "failed")
        assert.strictEqual(ended.accepted_rows, yield* server.total)
        assert.strictEqual(log.lines.length, 1)
        assert.include(log.lines[0]!, "the second slice")
        assert.notInclude(log.lines[0]!, "415555")
      }).pipe(Effect.provide(log.layer))
    }
  )
})

describe("imports that come together", () => {
  const rows = (count: number) => Array.from({ length: count }, (_, n) => number(n)).join("\n")

  let others = 0

  /** Another workspace's campaign, as `startImports` has it for the first. */
  const another = Effect.fnUntraced(function* (
    server: Effect.Effect.Success<ReturnType<typeof startImports>>
  ) {
    const { id } = yield* server.workspaces.create({ name: "Another" })
    const own = { number: `+141555501${10 + others++}`, label: null }
    yield* Context.get(server.context, PhoneNumbers).add(id, own)
    const headers = { "x-api-key": yield* server.keyWith(allScopes, id) }
    const agent = yield* server.call("/agents", { json: { name: "Reminders", prompt: "Hello" }, headers })
    const created = yield* server.call("/campaigns", {
      json: { ...server.draft, agent_id: agent.json.id },
      headers
    })
    const path = `/campaigns/${created.json.id}`
    const upload = (content: string) => {
      const sent = form({ content })
      return server.call(`${path}/recipients/import`, { ...sent, headers: { ...sent.headers, ...headers } })
    }
    return { path, headers, upload }
  })

  it.scopedLive(
    "are stored while their clients read nothing, keep no other workspace out, and are answered in full later",
    () =>
      Effect.gen(function* () {
        const server = yield* startImports()
        const other = yield* another(server)
        const unread = yield* Effect.all([
          halfRead(server.port, `/v0${server.path}`, form({ content: `phone\n${rows(20_000)}` }), server.key),
          halfRead(
            server.port,
            `/v0${other.path}/recipients/import`,
            form({ content: `phone\n${rows(20_000)}` }),
            other.headers["x-api-key"]
          )
        ])
        const third = yield* another(server)
        assert.strictEqual((yield* third.upload(`phone\n${number(1)}`)).status, 200)
        assert.strictEqual((yield* other.upload(`phone\n${number(30_000)}`)).status, 200)
        assert.strictEqual((yield* server.ended).status, "completed")
        for (const { rest } of unread) {
          const answer = JSON.parse(yield* rest)
          assert.strictEqual(answer.recipients.length, 20_000)
          assert.strictEqual(answer.import.status, "completed")
        }
      }),
    25_000
  )

  /** Announces a file of 5 MB: the server asks for it, by its first words, once there is room for it. */
  const asks = Effect.fnUntraced(function* (port: number, path: string, key: string) {
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => net.connect(port, "127.0.0.1")),
      (socket) => Effect.sync(() => socket.destroy())
    )
    let said = ""
    const heard = yield* Deferred.make<void>()
    socket.on("data", (text) => {
      said += text.toString()
      Deferred.unsafeDone(heard, Effect.void)
    })
    socket.write(
      `POST /v0${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\nexpect: 100-continue\r\n` +
        "content-type: multipart/form-data; boundary=b\r\ncontent-length: 5242880\r\n\r\n"
    )
    return { socket, said: () => said, granted: Deferred.await(heard) }
  })

  it.scoped(
    "of all workspaces are twelve files of 5 MB at one time; the others are 503 with Retry-After",
    () =>
      Effect.gen(function* () {
        const server = yield* startImports()
        const campaigns = yield* Effect.replicateEffect(another(server), 5)
        const asked = yield* Effect.forEach(
          campaigns.flatMap((campaign) => [campaign, campaign, campaign]),
          ({ headers, path }) => asks(server.port, `${path}/recipients/import`, headers["x-api-key"])
        )
        const heard = () => asked.filter(({ said }) => said() !== "")
        const until = (count: number) =>
          Effect.promise(async () => {
            while (heard().length < count) await new Promise(setImmediate)
          })
        yield* until(12)
        assert.strictEqual((yield* server.call("/campaigns")).status, 200)
        assert.strictEqual(heard().length, 12)
        heard()[0]!.socket.destroy()
        yield* until(13)
        yield* TestClock.adjust("10 seconds")
        yield* until(15)
        const refused = asked.map(({ said }) => said()).filter((said) => said.includes(" 503 "))
        assert.strictEqual(refused.length, 2)
        for (const answer of refused) assert.match(answer, /\r\nretry-after: [0-9]+\r\n/i)
      })
  )

  it.scoped(
    "wait until their workspace has room, and are 503 with Retry-After when it has none in time",
    () =>
      Effect.gen(function* () {
        const server = yield* startImports()
        const other = yield* another(server)
        const sending = yield* Effect.replicateEffect(asks(server.port, server.path, server.key), 3)
        for (const { granted } of sending) yield* granted
        const content = `phone\n${number(1)}${"\n".repeat(1_100_000)}`
        const late = yield* Effect.fork(server.upload({ content }))
        assert.strictEqual((yield* other.upload(`phone\n${number(1)}`)).status, 200)
        while (Option.isNone(yield* Fiber.poll(late))) {
          yield* Effect.promise(() => new Promise(setImmediate))
          yield* TestClock.adjust("1 second")
        }
        const reply = yield* Fiber.join(late)
        assert.deepStrictEqual([reply.status, reply.json.error.code], [503, "service_unavailable"])
        assert.match(reply.headers["retry-after"]!, /^[0-9]+$/)
        sending[0]!.socket.destroy()
        const again = yield* Effect.fork(server.upload({ content: `phone\n${number(1)}` }))
        assert.strictEqual((yield* Fiber.join(again)).status, 200)
      })
  )
})
