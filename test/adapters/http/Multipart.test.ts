import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Multipart from "../../../adapters/http/handlers/Multipart.ts"
import { maxFileBytes, sanitised } from "../../../adapters/http/handlers/Upload.ts"

const head = (rest: string) => `Content-Disposition: form-data; ${rest}\r\n`
const file = head('name="file"; filename="a.csv"')

const parse = (body: string | Buffer, most = 2) => Multipart.parse(Buffer.from(body), "b", most)

describe("the content type of a form", () => {
  it.each([
    ["multipart/form-data; boundary=b", "b"],
    ["Multipart/Form-Data;charset=utf-8; BOUNDARY=b", "b"],
    ['multipart/form-data; boundary="a b"', "a b"],
    [`multipart/form-data; boundary=${"x".repeat(70)}`, "x".repeat(70)],
    ["multipart/form-data; boundary=b; boundary=c", "b"],
    ["multipart/form-data", null],
    ["multipart/form-data; boundary=", null],
    ['multipart/form-data; boundary=""', null],
    ['multipart/form-data; boundary="b "', null],
    ['multipart/form-data; boundary="b', null],
    [`multipart/form-data; boundary=${"x".repeat(71)}`, null],
    ["multipart/form-data; boundary=é", null],
    ["multipart/mixed; boundary=b", null],
    ["multipart/form-database; boundary=b", null],
    ["application/json", null],
    [undefined, null]
  ] as const)("%s names the boundary %s", (type, boundary) => {
    assert.strictEqual(Multipart.boundaryOf(type), boundary)
  })
})

describe("a multipart body", () => {
  it.prop(
    "gives back the content of a part byte for byte, whatever it is",
    [FastCheck.uint8Array({ maxLength: 200 })],
    ([content]) => {
      const bytes = Buffer.from(content)
      FastCheck.pre(!bytes.includes("\r\n--b"))
      const parts = parse(
        Buffer.concat([Buffer.from(`--b\r\n${file}\r\n`), bytes, Buffer.from("\r\n--b--\r\n")])
      )
      assert.strictEqual(parts?.length, 1)
      assert.deepStrictEqual([...parts![0]!.content], [...content])
    }
  )

  it("cut short anywhere before its last boundary ends is malformed", () => {
    const whole = `--b\r\n${file}\r\n1\r\n--b\r\n${file}\r\n2\r\n--b--`
    for (let length = 0; length < whole.length; length++) assert.isNull(parse(whole.slice(0, length), 3))
    assert.strictEqual(parse(whole, 3)?.length, 2)
  })

  const texts = (body: string, most?: number) =>
    parse(body, most)?.map(({ content, ...said }) => ({
      ...said,
      content: Buffer.from(content).toString()
    })) ?? null
  const one = (over: object = {}) => [{ name: "file", filename: "a.csv", content: "x", ...over }]

  it.each([
    ["a part", `--b\r\n${file}\r\nx\r\n--b--`, one()],
    ["a preamble and an epilogue", `hello\r\n--b\r\n${file}\r\nx\r\n--b--\r\nbye\r\n--b\r\n`, one()],
    ["white space after a boundary", `--b \t\r\n${file}\r\nx\r\n--b--  \r\n`, one()],
    ["an empty part", `--b\r\n${file}\r\n\r\n--b--`, one({ content: "" })],
    ["a part that ends with its head", `--b\r\n${file}\r\n--b--`, one({ content: "" })],
    [
      "line breaks at the ends of a part",
      `--b\r\n${file}\r\n\r\nx\r\n\r\n--b--`,
      one({ content: "\r\nx\r\n" })
    ],
    ["bare line feeds in a part", `--b\r\n${file}\r\nx\n--b\n--b--`, null],
    ["a boundary within a line", `--b\r\n${file}\r\nx--b--\r\n--b--`, one({ content: "x--b--" })],
    ["other headers", `--b\r\nX-Other: a:b\r\n${file}Content-Type: text/csv\r\n\r\nx\r\n--b--`, one()],
    [
      "headers in any case",
      `--b\r\ncontent-DISPOSITION:Form-Data;NAME=file\r\n\r\nx\r\n--b--`,
      one({ filename: null })
    ],
    ["a plain transfer encoding", `--b\r\n${file}Content-Transfer-Encoding: Binary\r\n\r\nx\r\n--b--`, one()],
    ["no part", "--b--\r\n", []],
    ["nothing", "", null],
    ["something else", "phone_number\r\n+14155550123\r\n", null],
    ["another boundary", `--c\r\n${file}\r\nx\r\n--c--`, null],
    ["a longer boundary", `--bb\r\n${file}\r\nx\r\n--bb--`, null],
    ["no end", `--b\r\n${file}\r\nx\r\n--b\r\n`, null],
    ["no head", "--b\r\n\r\nx\r\n--b--", null],
    ["a head without its end", `--b\r\n${file}--b--`, null],
    ["a head that holds a boundary", `--b\r\n${file}--b--\r\n\r\nx\r\n--b--`, null],
    ["a head of more than 8 KiB", `--b\r\nX: ${"x".repeat(8_192)}\r\n${file}\r\nx\r\n--b--`, null],
    ["a folded header", `--b\r\n${file} folded\r\n\r\nx\r\n--b--`, null],
    ["no disposition", "--b\r\nContent-Type: text/csv\r\n\r\nx\r\n--b--", null],
    ["another disposition", '--b\r\nContent-Disposition: attachment; name="file"\r\n\r\nx\r\n--b--', null],
    ["no name", `--b\r\n${head('filename="a.csv"')}\r\nx\r\n--b--`, null],
    ["a transfer encoding", `--b\r\n${file}Content-Transfer-Encoding: base64\r\n\r\neA==\r\n--b--`, null]
  ] as const)("with %s is read as it should be", (_, body, expected) => {
    assert.deepStrictEqual(texts(body), expected === null ? null : [...expected])
  })

  it.each([
    ['filename="a.csv"', "a.csv"],
    ["filename=a.csv", "a.csv"],
    ['filename="été.csv"', "été.csv"],
    ['filename="a\\"b.csv"', 'a"b.csv'],
    ['filename="C:\\folder\\a.csv"', "C:\\folder\\a.csv"],
    ["filename=\"x\"; filename*=UTF-8''%C3%A9t%C3%A9.csv", "été.csv"],
    ["filename=\"x.csv\"; filename*=UTF-8''%zz", "x.csv"],
    ["filename=\"x.csv\"; filename*=latin1''%E9", "x.csv"],
    ['filename=""', ""]
  ])("names its file by %s", (said, filename) => {
    assert.deepStrictEqual(texts(`--b\r\n${head(`name="file"; ${said}`)}\r\nx\r\n--b--`), one({ filename }))
  })

  it("is not read beyond the parts that are wanted", () => {
    const part = `--b\r\n${file}\r\nx\r\n`
    assert.strictEqual(texts(`${part}${part}--bgarbage`, 2)?.length, 2)
    assert.isNull(texts(`${part}${part}--bgarbage`, 3))
  })

  it("of many megabytes of boundaries that are none is read in no time", () => {
    const body = Buffer.from(`--b\r\n${file}\r\n${"\r\n--".repeat(maxFileBytes / 4)}\r\n--b--`)
    const began = performance.now()
    assert.strictEqual(parse(body)?.[0]?.content.length, maxFileBytes)
    assert.isBelow(performance.now() - began, 1_000)
  })
})

describe("a file's name", () => {
  it.each([
    ["a plain name", "recipients.csv", "recipients.csv"],
    ["a path", "../../etc/passwd", "passwd"],
    ["a path of Windows", "C:\\Users\\ada\\list.xlsx", "list.xlsx"],
    ["control characters", "a\u0000b\u0007\u0085.csv", "ab.csv"],
    ["white space around it", "  a.csv ", "a.csv"],
    ["a folder alone", "folder/", "file"],
    ["nothing", "", "file"],
    ["no name", null, "file"],
    ["a lone surrogate", "a\ud800.csv", "a\ufffd.csv"],
    ["300 characters", "x".repeat(300), "x".repeat(255)],
    ["an emoji across the limit", `${"x".repeat(254)}😀`, "x".repeat(254)]
  ])("with %s is kept as any store can hold it", (_, name, kept) => {
    assert.strictEqual(sanitised(name), kept)
  })
})
