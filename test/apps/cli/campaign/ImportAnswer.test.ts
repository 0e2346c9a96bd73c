import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as ImportAnswer from "../../../../apps/cli/campaign/ImportAnswer.ts"

const read = (...pieces: ReadonlyArray<Uint8Array>) => {
  const reader = ImportAnswer.make()
  for (const piece of pieces) reader.push(piece)
  return reader.end()
}

const cut = (bytes: Uint8Array, at: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const places = [0, ...[...at].map((each) => each % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
}

const readText = (text: string) => read(Buffer.from(text))
const told = (text: string) =>
  Either.match(readText(text), { onLeft: ({ message }) => message, onRight: (answer) => answer })

/** Text with all that could mislead a scanner. */
const texts = FastCheck.string({
  unit: FastCheck.constantFrom(
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "\n",
    "a",
    "é",
    "日",
    "👩",
    "\ud83d",
    " "
  )
})
const values = FastCheck.jsonValue()
const recipients = FastCheck.array(
  FastCheck.oneof(FastCheck.record({ id: texts, variables: FastCheck.dictionary(texts, values) }), values)
)
const record = FastCheck.record({ id: texts, errors: FastCheck.array(FastCheck.record({ value: texts })) })
const cuts = FastCheck.array(FastCheck.nat())

describe("the answer to an import", () => {
  it("is counted and kept whole, wherever it is cut", () => {
    FastCheck.assert(
      FastCheck.property(recipients, record, cuts, FastCheck.constantFrom(0, 2), (list, kept, at, indent) => {
        const bytes = Buffer.from(JSON.stringify({ recipients: list, import: kept }, null, indent))
        const answer = Either.getOrThrow(read(...cut(bytes, at)))
        assert.strictEqual(answer.recipients, list.length)
        assert.deepStrictEqual(JSON.parse(answer.text), JSON.parse(JSON.stringify(kept)))
      })
    )
  })

  it("may be cut at every single byte, in the middle of a character too", () => {
    const text = JSON.stringify({
      recipients: [{ name: '}"],\\ 👩‍👩‍👧' }, { name: "日本" }],
      import: { id: "imp_1", errors: [{ row: 2, value: '{"👩\\' }] }
    })
    const bytes = Buffer.from(text)
    const answer = Either.getOrThrow(read(...Array.from(bytes, (_, i) => bytes.subarray(i, i + 1))))
    assert.strictEqual(answer.recipients, 2)
    assert.deepStrictEqual(JSON.parse(answer.text), JSON.parse(text).import)
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepStrictEqual(read(bytes.subarray(0, at), bytes.subarray(at)), Either.right(answer))
    }
  })

  it("may have its parts in another order, beside unknown parts", () => {
    const own = '"import" : {"id":"imp_1"} '
    const list = '"recipients":[{"import":{}},"x",[],3]'
    for (const text of [
      `{${own},${list}}`,
      `{"more":{"recipients":[1,2],"import":5},${list},"n":-1.5e3,${own}}`,
      ` \n{"more":[[{}]],${own},"s":"recipients",${list}} \n`,
      `{${list},"\\u0069mport":{"id":"imp_1"}}`
    ]) {
      assert.deepStrictEqual(told(text), { recipients: 4, text: '{"id":"imp_1"}' })
    }
    assert.deepStrictEqual(told('{"recipients":[ ],"import":{}}'), { recipients: 0, text: "{}" })
    assert.deepStrictEqual(told('{"import":{}}'), { recipients: 0, text: "{}" })
  })

  it("that ends early is told from one that is whole, wherever it ends", () => {
    const whole = Buffer.from('{"recipients":[{"id":"a"}],"import":{"id":"b"}}')
    for (let at = 0; at < whole.length; at++) {
      assert.isTrue(Either.isLeft(read(whole.subarray(0, at))), String(at))
    }
  })

  it("that is something else is refused", () => {
    for (const text of [
      "<html>{}</html>",
      "[]",
      "null",
      '"import"',
      "{}{}",
      '{"a"}',
      '{"a":}',
      "{a:1}",
      '{"\\x":1}'
    ]) {
      assert.strictEqual(told(text), "it is not the answer to an import", text)
    }
    assert.strictEqual(told('{"recipients":[]}'), "it tells nothing of the import")
    assert.strictEqual(told(""), "it ended early")
  })

  it("is not kept: a hundred thousand recipients leave nothing but their number", () => {
    const reader = ImportAnswer.make()
    const piece = Buffer.from('{"id":"rcpt_1","variables":{"name":"Ada"}},')
    reader.push(Buffer.from('{"recipients":['))
    for (let i = 0; i < 100_000; i++) {
      reader.push(piece)
      if (i % 25_000 === 0) assert.strictEqual(reader.recipients(), i + 1)
    }
    piece.fill(0)
    reader.push(Buffer.from('{}],"import":{"id":"imp_1"}}'))
    assert.deepStrictEqual(reader.end(), Either.right({ recipients: 100_001, text: '{"id":"imp_1"}' }))
  })
})
