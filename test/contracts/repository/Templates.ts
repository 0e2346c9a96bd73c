import { Effect, Exit } from "effect"
import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import type { Template } from "../../../core/model/templates/Template.ts"
import type { Check } from "./Check.ts"
import { makeTemplate, other, page, start, ws } from "./Fixtures.ts"

const endOfTime = 8_640_000_000_000_000
const awkward = `O'Hara "?" -- $1 \\ \n 𝒳👩‍👩‍👧 ; drop table templates`

const full = makeTemplate(1, {
  parameter_format: "named",
  category: "marketing",
  components: [
    { type: "header", format: "image", example: { header_handle: [awkward] } },
    {
      type: "body",
      text: `${awkward} {{first_name}}.`,
      example: { body_text_named_params: [{ param_name: "first_name", example: awkward }] }
    },
    { type: "footer", text: awkward },
    {
      type: "buttons",
      buttons: [{ type: "url", text: "Open", url: "https://example.com/{{1}}", example: [awkward] }]
    }
  ],
  provider_template_id: "108234597124410932217",
  status: "rejected",
  rejection_reason: awkward,
  updated_at: endOfTime
})

const ids = (templates: ReadonlyArray<Template>) => templates.map(({ id }) => Number(id.slice(5)))

export const templateRows = (check: Check) =>
  describe("templates", () => {
    check("come back as they were stored, to their workspace alone", ({ templates }) =>
      Effect.gen(function* () {
        assert.isTrue(yield* templates.insert(full))
        assertSome(yield* templates.get(ws, full.id), full)
        assertSome(yield* templates.find(ws, full.name, full.language), full)
        assert.deepStrictEqual(yield* templates.list(ws, {}, page), { data: [full], total: 1 })
        assertNone(yield* templates.get(other, full.id))
        assertNone(yield* templates.get(ws, "tmpl_000002"))
        assertNone(yield* templates.find(other, full.name, full.language))
        assertNone(yield* templates.find(ws, full.name, "en_GB"))
        assertNone(yield* templates.find(ws, full.language, full.name))
        assert.deepStrictEqual(yield* templates.list(other, {}, page), { data: [], total: 0 })
        assert.isTrue(yield* templates.insert(makeTemplate(1, { customer_id: other })))
        assertSome(yield* templates.get(ws, full.id), full)
        assertSome(yield* templates.get(other, full.id), makeTemplate(1, { customer_id: other }))
      })
    )

    check("have a name and language once in a workspace: a second one is not stored", ({ templates }) =>
      Effect.gen(function* () {
        const twin = (n: number, over: Partial<Template> = {}) =>
          makeTemplate(n, { name: full.name, ...over })
        assert.isTrue(yield* templates.insert(full))
        assert.isFalse(yield* templates.insert(twin(2)))
        assert.isTrue(yield* templates.insert(twin(3, { language: "en" })))
        assert.isTrue(yield* templates.insert(twin(4, { customer_id: other })))
        assert.isTrue(yield* templates.insert(makeTemplate(5)))
        assert.deepStrictEqual(ids((yield* templates.list(ws, {}, page)).data), [5, 3, 1])
        assert.isTrue(yield* templates.remove(ws, full.id))
        assert.isTrue(yield* templates.insert(twin(2)))
      })
    )

    check("die when an id is stored a second time, and keep the first", ({ templates }) =>
      Effect.gen(function* () {
        yield* templates.insert(full)
        const again = makeTemplate(1, { name: "another" })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(templates.insert(again))))
        assert.deepStrictEqual(yield* templates.list(ws, {}, page), { data: [full], total: 1 })
        assertNone(yield* templates.find(ws, "another", full.language))
      })
    )

    check("are changed in what the registry said of them, all else stays", ({ templates }) =>
      Effect.gen(function* () {
        yield* templates.insert(makeTemplate(1))
        yield* templates.insert(makeTemplate(2))
        const { provider_template_id, rejection_reason, status, updated_at } = full
        const said = { provider_template_id, rejection_reason, status, updated_at }
        const elsewhere = { name: "x", language: "fr", category: "marketing" as const, components: [] }
        assert.isTrue(yield* templates.update({ ...makeTemplate(1), ...elsewhere, created_at: 7, ...said }))
        assertSome(yield* templates.get(ws, full.id), makeTemplate(1, said))
        assertSome(yield* templates.find(ws, makeTemplate(1).name, "en_US"), makeTemplate(1, said))
        assertNone(yield* templates.find(ws, "x", "fr"))
        assertSome(yield* templates.get(ws, makeTemplate(2).id), makeTemplate(2))
        assert.isFalse(yield* templates.update(makeTemplate(1, { customer_id: other })))
        assert.isFalse(yield* templates.update(makeTemplate(3)))
        assert.strictEqual((yield* templates.list(ws, { status: "rejected" }, page)).total, 1)
        assert.strictEqual((yield* templates.list(other, {}, page)).total, 0)
      })
    )

    check("let one of fifty that race for a name have it", ({ templates, transaction }) =>
      Effect.gen(function* () {
        const insert = (n: number) => templates.insert(makeTemplate(n, { name: "wanted" }))
        const stored = yield* Effect.forEach(
          Array.from({ length: 50 }, (_, n) => n),
          (n) => (n % 2 === 0 ? insert(n) : transaction(ws, insert(n))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(stored.filter(Boolean).length, 1)
        assert.deepStrictEqual(ids((yield* templates.list(ws, {}, page)).data), [stored.indexOf(true)])
      })
    )

    check("are listed newest first, page by page, through filters", ({ templates }) =>
      Effect.gen(function* () {
        const languages = ["en", "fr", "pt_BR"]
        const template = (n: number) =>
          makeTemplate(n, {
            name: `name_${Math.floor(n / 3)}`,
            language: languages[n % 3]!,
            status: n % 2 === 0 ? "approved" : "rejected",
            category: n % 5 === 0 ? "authentication" : "marketing",
            created_at: start
          })
        for (let k = 0; k < 30; k++) yield* templates.insert(template((k * 7) % 30))
        yield* templates.insert(makeTemplate(40, { customer_id: other }))
        const cases = [
          [{}, () => true],
          [{ name: undefined, status: undefined }, () => true],
          [{ name: "name_2" }, (n: number) => Math.floor(n / 3) === 2],
          [{ language: "fr" }, (n: number) => n % 3 === 1],
          [{ status: "approved" }, (n: number) => n % 2 === 0],
          [{ category: "authentication" }, (n: number) => n % 5 === 0],
          [{ name: "name_2", language: "fr" }, (n: number) => n === 7],
          [
            { language: "en", status: "rejected", category: "marketing" },
            (n: number) => n % 3 === 0 && n % 2 === 1 && n % 5 !== 0
          ],
          [{ status: "paused" }, () => false]
        ] as const
        for (const [filter, admits] of cases) {
          const expected = Array.from({ length: 30 }, (_, n) => 29 - n).filter(admits)
          const pages = yield* Effect.forEach([0, 7, 14, 21, 28, 35], (offset) =>
            templates.list(ws, filter, { limit: 7, offset })
          )
          assert.deepStrictEqual(
            pages.flatMap(({ data }) => data),
            expected.map(template)
          )
          for (const { total } of pages) assert.strictEqual(total, expected.length)
        }
      })
    )

    check("are removed once, by their workspace only", ({ templates }) =>
      Effect.gen(function* () {
        yield* templates.insert(full)
        assert.isFalse(yield* templates.remove(other, full.id))
        assertSome(yield* templates.get(ws, full.id), full)
        assert.isTrue(yield* templates.remove(ws, full.id))
        assert.isFalse(yield* templates.remove(ws, full.id))
        assertNone(yield* templates.get(ws, full.id))
        assertNone(yield* templates.find(ws, full.name, full.language))
        assert.isFalse(yield* templates.update(full))
        assert.deepStrictEqual(yield* templates.list(ws, {}, page), { data: [], total: 0 })
      })
    )

    check("are as before when a unit fails", ({ templates, transaction }) =>
      Effect.gen(function* () {
        yield* templates.insert(full)
        yield* templates.insert(makeTemplate(2))
        const exit = yield* Effect.exit(
          transaction(
            ws,
            Effect.gen(function* () {
              assert.isTrue(yield* templates.remove(ws, makeTemplate(2).id))
              assert.isTrue(yield* templates.insert(makeTemplate(3, { name: makeTemplate(2).name })))
              assert.isTrue(yield* templates.update({ ...full, status: "approved" }))
              return yield* Effect.fail("no")
            })
          )
        )
        assert.deepStrictEqual(exit, Exit.fail("no"))
        assert.deepStrictEqual(yield* templates.list(ws, {}, page), {
          data: [makeTemplate(2), full],
          total: 2
        })
        assertSome(yield* templates.find(ws, makeTemplate(2).name, "en_US"), makeTemplate(2))
      })
    )
  })
