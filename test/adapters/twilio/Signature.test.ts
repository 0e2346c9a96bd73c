import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { getExpectedTwilioSignature, validateRequest } from "twilio/lib/webhooks/webhooks.js"
import * as Signature from "../../../adapters/twilio/Signature.ts"

const url = "https://mycompany.com/myapp.php?foo=1&bar=2"

const fields = (pairs: ReadonlyArray<readonly [string, string]>) =>
  Signature.fieldsOf(
    new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString()
  )

const published = fields([
  ["CallSid", "CA1234567890ABCDE"],
  ["Caller", "+14158675309"],
  ["Digits", "1234"],
  ["From", "+14158675309"],
  ["To", "+18005551212"]
])

/** The form as Twilio's own library takes it. */
const parameters = (form: Signature.Fields) =>
  Object.fromEntries([...form].map(([name, values]) => [name, values.length === 1 ? values[0] : values]))

const name = FastCheck.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,12}$/)
const form = FastCheck.array(FastCheck.tuple(name, FastCheck.fullUnicodeString({ maxLength: 20 })), {
  maxLength: 12
}).map(fields)
const address = FastCheck.record({
  scheme: FastCheck.constantFrom("https://", "http://"),
  host: FastCheck.constantFrom("mycompany.com", "127.0.0.1", "a.b.example"),
  port: FastCheck.constantFrom("", ":443", ":80", ":8080"),
  path: FastCheck.webPath(),
  query: FastCheck.webQueryParameters()
}).map(({ host, path, port, query, scheme }) => `${scheme}${host}${port}${path || "/"}?${query}`)
const token = FastCheck.hexaString({ minLength: 1, maxLength: 32 })

describe("the signature of Twilio's callbacks", () => {
  it("is the one that Twilio publishes for its example", () => {
    assert.strictEqual(Signature.sign("12345", url, published), "RSOYDt4T1cUTdK1PDd93/VVr8B8=")
    assert.isTrue(Signature.verify("12345", "RSOYDt4T1cUTdK1PDd93/VVr8B8=", [url], published))
  })

  it("takes a field's values in order and each once, as Twilio's libraries have it", () => {
    const repeated = fields([
      ["Sid", "CA123"],
      ["SidAccount", "AC123"],
      ["Digits", "5678"],
      ["Digits", "1234"],
      ["Digits", "1234"]
    ])
    assert.isTrue(Signature.verify("12345", "IK+Dwps556ElfBT0I3Rgjkr1wJU=", [url], repeated))
  })

  it("is the same as Twilio's own code makes and takes, for any address and form", () => {
    FastCheck.assert(
      FastCheck.property(token, address, form, (token, address, form) => {
        const expected = getExpectedTwilioSignature(token, address, parameters(form))
        assert.strictEqual(Signature.sign(token, address, form), expected)
        assert.isTrue(Signature.verify(token, expected, [address], form))
        assert.isTrue(validateRequest(token, Signature.sign(token, address, form), address, parameters(form)))
      }),
      { numRuns: 500 }
    )
  })

  it("is taken for the address with its port or without, as by Twilio's own code", () => {
    FastCheck.assert(
      FastCheck.property(token, address, form, (token, address, form) => {
        const other = /:\d+(?=\/)/.test(address)
          ? address.replace(/:\d+(?=\/)/, "")
          : address.replace(/(?<=\w)\//, `${address.startsWith("https") ? ":443" : ":80"}/`)
        const signature = getExpectedTwilioSignature(token, other, parameters(form))
        assert.isTrue(validateRequest(token, signature, address, parameters(form)))
        assert.isTrue(Signature.verify(token, signature, [address], form))
      })
    )
  })

  it("is refused when token, address, a field or the signature itself is another, or when there is none", () => {
    FastCheck.assert(
      FastCheck.property(token, address, form, name, (token, address, form, name) => {
        const signature = Signature.sign(token, address, form)
        const more = new Map([...form, [name, [...(form.get(name) ?? []), "more"]]])
        const verify = (token: string, signature: string | undefined, url: string, form: Signature.Fields) =>
          Signature.verify(token, signature, [url], form)
        assert.isFalse(verify(`${token}0`, signature, address, form))
        assert.isFalse(verify(token, signature, `${address}0`, form))
        assert.isFalse(verify(token, signature, address, more))
        assert.isFalse(verify(token, undefined, address, form))
        for (const broken of ["", signature.slice(1), `${signature}=`, signature.toLowerCase() + "x"]) {
          assert.isFalse(verify(token, broken, address, form))
        }
      })
    )
  })

  it("a seal holds for its own text and token alone", () => {
    const seal = Signature.seal("12345", "text")
    assert.isTrue(Signature.isSealed("12345", "text", seal))
    assert.isFalse(Signature.isSealed("12345", "texts", seal))
    assert.isFalse(Signature.isSealed("1234", "text", seal))
    assert.isFalse(Signature.isSealed("12345", "text", ""))
  })
})
