import { Chunk, Deferred, Effect, Fiber, Stream } from "effect"
import { assert, layer } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { Recipient } from "../../../core/model/campaigns/Recipient.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import { DoNotCallList } from "../../../core/usecases/DoNotCallList.ts"
import { Imports } from "../../../core/usecases/Imports.ts"
import { Recipients } from "../../../core/usecases/Recipients.ts"
import { csvFile, xlsxFile } from "../../adapters/tables/Fixtures.ts"
import * as Platform from "../../Platform.ts"

type Cells = ReadonlyArray<ReadonlyArray<string>>

const formats: ReadonlyArray<readonly [string, (rows: Cells) => Uint8Array]> = [
  ["comma", (rows) => csvFile(rows)],
  ["semicolon", (rows) => csvFile(rows, { delimiter: ";", newline: "\r\n" })],
  ["tab", (rows) => csvFile(rows, { delimiter: "\t" })],
  ["xlsx", (rows) => xlsxFile(rows)]
]

/** Uploads a file into a campaign, and reads the answer to its end. */
const upload = Effect.fnUntraced(function* (
  workspace_id: string,
  campaign_id: string,
  file: Uint8Array,
  filename = "people"
) {
  const parts = yield* Effect.flatMap(
    (yield* Imports).upload(workspace_id, campaign_id, { filename, file }),
    Stream.runCollect
  ).pipe(Effect.scoped)
  const recipients: Array<Recipient> = []
  for (const part of parts) if (part._tag === "Recipients") recipients.push(...part.recipients)
  const last = Chunk.unsafeLast(parts)
  if (last._tag !== "Import") return yield* Effect.dieMessage("the answer does not end with the record")
  return { recipients, record: last.campaignImport }
})

const phone = (n: number) => `+1415555${String(n).padStart(4, "0")}`

interface Shape {
  readonly name: string
  readonly rows: Cells
  readonly accepted: ReadonlyArray<string>
  readonly errors: ReadonlyArray<readonly [row: number, error: string, value: string]>
}

/** Shapes that a spreadsheet may have, and what comes of each, whatever its format. */
const shapes: ReadonlyArray<Shape> = [
  {
    name: "a column of numbers",
    rows: [["phone"], [phone(1)], [phone(2)]],
    accepted: [phone(1), phone(2)],
    errors: []
  },
  {
    name: "a messy phone column",
    rows: [
      ["Name", " Phone_Number "],
      ["Ada", " +1 (415) 555-0001 "],
      ["Bob", "+1.415.555.0002"],
      ["Cyd", "415 555 0003"],
      ["Dee", ""],
      ["Eve", "1.41556E+10"],
      ["Fay", "+1415"]
    ],
    accepted: [phone(1), phone(2)],
    errors: [
      [4, "leading +", "415 555 0003"],
      [5, "missing", ""],
      [6, "enter it again as text", "1.41556E+10"],
      [7, "length", "+1415"]
    ]
  },
  {
    name: "numbers that come twice, however they are written",
    rows: [["mobile"], [phone(1)], ["+1 415 555 0001"], [phone(2)], [phone(2)]],
    accepted: [phone(1), phone(2)],
    errors: [
      [3, "repeats the phone number of row 2", "+1 415 555 0001"],
      [5, "repeats the phone number of row 4", phone(2)]
    ]
  },
  {
    name: "blank rows, which count as rows of the sheet and as nothing else",
    rows: [
      ["number", "x"],
      ["", ""],
      [phone(1), "a"],
      [" ", ""],
      ["bad", "b"]
    ],
    accepted: [phone(1)],
    errors: [[5, "leading +", "bad"]]
  },
  {
    name: "a zone of its own",
    rows: [
      ["phone", "TimeZone"],
      [phone(1), "Europe/Paris"],
      [phone(2), ""],
      [phone(3), "Nowhere/Here"]
    ],
    accepted: [phone(1), phone(2)],
    errors: [[4, "timezone", "Nowhere/Here"]]
  },
  {
    name: "headers and cells that mean something elsewhere",
    rows: [
      ["__proto__", "constructor", "phone"],
      ["=cmd|' /C calc'!A0", "@SUM(1)", phone(1)]
    ],
    accepted: [phone(1)],
    errors: []
  },
  {
    name: "quotes, line ends and delimiters in cells",
    rows: [
      ["phone", "note"],
      [phone(1), 'say "hi";\nthen, bye\tnow'],
      [phone(2), "naïve 🙂"]
    ],
    accepted: [phone(1), phone(2)],
    errors: []
  }
]

layer(Platform.layer())("an import", (it) => {
  for (const [format, write] of formats) {
    for (const shape of shapes) {
      it.effect(`takes ${shape.name} (${format})`, () =>
        Effect.gen(function* () {
          const tenant = yield* Platform.tenant()
          const { id } = yield* Platform.campaign(tenant, [])
          const { record, recipients } = yield* upload(
            tenant.workspace.id,
            id,
            write(shape.rows),
            "people.bin"
          )
          assert.deepStrictEqual(
            recipients.map(({ phone_number }) => phone_number),
            [...shape.accepted]
          )
          assert.deepStrictEqual(
            record.errors.map(({ row, value }) => [row, value]),
            shape.errors.map(([row, , value]) => [row, value])
          )
          record.errors.forEach(({ error }, i) => assert.include(error, shape.errors[i]![1]))
          assert.deepStrictEqual(
            [record.total_rows, record.accepted_rows, record.rejected_rows, record.status, record.filename],
            [
              shape.accepted.length + shape.errors.length,
              shape.accepted.length,
              shape.errors.length,
              shape.errors.length === 0 ? "completed" : "completed_with_errors",
              "people.bin"
            ]
          )
          assert.include(record.metadata.content_type, format === "xlsx" ? "spreadsheetml" : "text/csv")
          const kept = yield* (yield* Imports).get(tenant.workspace.id, id, record.id)
          assert.deepStrictEqual(kept, record)
          const stored = yield* (yield* Recipients).list(
            tenant.workspace.id,
            id,
            {},
            { limit: 100, offset: 0 }
          )
          assert.deepStrictEqual([...stored.data].reverse(), recipients)
        })
      )
    }
  }

  it.effect("keeps every other column as a variable, as it stands", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, [])
      const rows = [["Phone", "First name", "__proto__"], [phone(1), "=1+1", " x "], [phone(2)]]
      const { recipients } = yield* upload(tenant.workspace.id, id, csvFile(rows))
      assert.deepStrictEqual(
        recipients.map(({ variables }) => variables as string),
        ['{"First name":"=1+1","__proto__":" x "}', '{"First name":"","__proto__":""}']
      )
    })
  )

  it.effect("names the recipient that has a number already, and adds what is new", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, [])
      const first = yield* upload(tenant.workspace.id, id, csvFile([["phone"], [phone(1)]]))
      const second = yield* upload(tenant.workspace.id, id, csvFile([["phone"], [phone(2)], [phone(1)]]))
      assert.strictEqual(second.record.accepted_rows, 1)
      assert.include(second.record.errors[0]!.error, first.recipients[0]!.id)
      assert.strictEqual(second.record.errors[0]!.row, 3)
    })
  )

  it.effect("two files at once add each number once", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, [])
      const rows = [["phone"], ...Array.from({ length: 3_000 }, (_, i) => [phone(i)])]
      const both = yield* Effect.all(
        [upload(tenant.workspace.id, id, csvFile(rows)), upload(tenant.workspace.id, id, xlsxFile(rows))],
        { concurrency: 2 }
      )
      const numbers = both.flatMap(({ recipients }) => recipients.map(({ phone_number }) => phone_number))
      assert.deepStrictEqual([numbers.length, new Set(numbers).size], [3_000, 3_000])
      for (const { record } of both) {
        assert.strictEqual(record.accepted_rows + record.rejected_rows, 3_000)
      }
      const { counters } = yield* (yield* Campaigns).get(tenant.workspace.id, id)
      assert.strictEqual(counters.pending, 3_000)
    })
  )

  it.effect("numbers that must not be called come in as skipped", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      yield* (yield* DoNotCallList).add(tenant.workspace.id, [phone(2)])
      const { id } = yield* Platform.campaign(tenant, [])
      const { recipients } = yield* upload(
        tenant.workspace.id,
        id,
        csvFile([["phone"], [phone(1)], [phone(2)]])
      )
      assert.deepStrictEqual(
        recipients.map(({ status }) => status),
        ["pending", "skipped"]
      )
    })
  )

  it.effect("is refused by a campaign that has ended, and by one of another workspace", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const other = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, [phone(9)])
      const file = csvFile([["phone"], [phone(1)]])
      const foreign = yield* Effect.flip(upload(other.workspace.id, id, file))
      assert.strictEqual(foreign._tag, "CampaignNotFound")
      yield* (yield* Campaigns).update(tenant.workspace.id, id, { status: "cancelled" })
      const refused = yield* Effect.flip(upload(tenant.workspace.id, id, file))
      assert.strictEqual(refused._tag, "CampaignRefused")
      const { total } = yield* (yield* Imports).list(tenant.workspace.id, id, { limit: 1, offset: 0 })
      assert.strictEqual(total, 0)
    })
  )

  it.effect("that is broken off keeps what it has added, and says that it failed", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, [])
      const rows = [["phone"], ...Array.from({ length: 5_000 }, (_, i) => [phone(i)])]
      const imports = yield* Imports
      const some = yield* Deferred.make<void>()
      const reading = yield* Effect.flatMap(
        imports.upload(tenant.workspace.id, id, { filename: "half.csv", file: csvFile(rows) }),
        Stream.runForEach(() => Effect.zipRight(Deferred.succeed(some, undefined), Effect.never))
      ).pipe(Effect.scoped, Effect.fork)
      yield* Deferred.await(some)
      yield* Fiber.interrupt(reading)
      const { data } = yield* imports.list(tenant.workspace.id, id, { limit: 1, offset: 0 })
      const { counters } = yield* (yield* Campaigns).get(tenant.workspace.id, id)
      assert.strictEqual(data[0]!.status, "failed")
      assert.isAbove(counters.pending, 0)
      assert.strictEqual(data[0]!.accepted_rows, counters.pending)
      const again = yield* upload(tenant.workspace.id, id, csvFile(rows))
      assert.strictEqual(again.record.accepted_rows, 5_000 - counters.pending)
    })
  )

  const cell = FastCheck.string({ unit: "grapheme", maxLength: 12 }).map((text) =>
    text.replaceAll("\u0000", "")
  )
  const table = FastCheck.record({
    format: FastCheck.constantFrom(...formats.map(([, write]) => write)),
    names: FastCheck.uniqueArray(
      cell.filter(
        (name) => name.trim() !== "" && !/^\s*(phone_number|phone|mobile|number|timezone)\s*$/i.test(name)
      ),
      { maxLength: 4 }
    ),
    rows: FastCheck.array(
      FastCheck.record({
        number: FastCheck.oneof(
          FastCheck.integer({ min: 0, max: 30 }).map(phone),
          FastCheck.constantFrom("", "12", "+1 (415) 555-0007", "1E+10")
        ),
        cells: FastCheck.array(cell, { minLength: 4, maxLength: 4 })
      }),
      { maxLength: 40 }
    )
  })

  it.effect.prop(
    "of any table, accepted and rejected rows are all rows, no number is taken twice, every variable is intact",
    { table },
    ({ table: { format, names, rows } }) =>
      Effect.gen(function* () {
        const tenant = yield* Platform.tenant()
        const { id } = yield* Platform.campaign(tenant, [])
        const sheet = [
          ["phone", ...names],
          ...rows.map(({ cells, number }) => [number, ...cells.slice(0, names.length)])
        ]
        const { recipients, record } = yield* upload(tenant.workspace.id, id, format(sheet))
        const filled = sheet.slice(1).filter((row) => row.some((text) => text.trim() !== "")).length
        assert.strictEqual(record.total_rows, filled)
        assert.strictEqual(record.accepted_rows + record.rejected_rows, filled)
        assert.strictEqual(record.accepted_rows, recipients.length)
        assert.strictEqual(record.errors.length, record.rejected_rows)
        const numbers = recipients.map(({ phone_number }) => phone_number)
        assert.strictEqual(new Set(numbers).size, numbers.length)
        const rejected = new Set(record.errors.map(({ row }) => row))
        const taken = sheet.flatMap((row, i) =>
          i === 0 || rejected.has(i + 1) || row.every((text) => text.trim() === "") ? [] : [row]
        )
        assert.deepStrictEqual(
          recipients.map(({ variables }) => Object.entries(JSON.parse(variables) as object)),
          taken.map((row) =>
            Object.entries(
              JSON.parse(
                `{${names.map((name, i) => `${JSON.stringify(name)}:${JSON.stringify(row[i + 1])}`).join(",")}}`
              ) as object
            )
          )
        )
      }),
    { fastCheck: { numRuns: 60 } }
  )
})
