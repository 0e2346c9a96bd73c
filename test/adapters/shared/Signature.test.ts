import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { Webhook } from "standardwebhooks"
import { signatureHeaders } from "../../../adapters/shared/Signature.ts"

const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_Kl9MmYBSTKiKL1yBKJfO5xxlCHkXqYWh"]
const message = { id: "evt_1", body: '{"metadata":{"n":1.0},"name":"Zoë ☎"}', secrets }

describe("Signature", () => {
  it("is that of the specification's example", () => {
    // The worked example of the Standard Webhooks libraries' tests.
    const headers = signatureHeaders(
      { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", body: '{"test": 2432232314}', secrets: secrets.slice(0, 1) },
      1_614_265_330_999
    )
    assert.deepStrictEqual(headers, {
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    })
  })

  it("during a rotation a receiver verifies with either secret", () => {
    const headers = signatureHeaders(message, Date.now())
    assert.lengthOf(headers["webhook-signature"].split(" "), 2)
    for (const secret of secrets) {
      assert.deepStrictEqual(new Webhook(secret).verify(message.body, headers), JSON.parse(message.body))
    }
    assert.throws(() => new Webhook("whsec_b3RoZXIgc2VjcmV0").verify(message.body, headers))
  })

  it("an altered body, id or time does not verify", () => {
    const headers = signatureHeaders(message, Date.now())
    const receiver = new Webhook(secrets[0]!)
    const later = String(Number(headers["webhook-timestamp"]) + 1)
    assert.throws(() => receiver.verify(`${message.body} `, headers), "No matching signature")
    assert.throws(() => receiver.verify(message.body, { ...headers, "webhook-id": "evt_2" }), "No matching")
    assert.throws(
      () => receiver.verify(message.body, { ...headers, "webhook-timestamp": later }),
      "No matching"
    )
  })

  it("an old try does not verify again", () => {
    const headers = signatureHeaders(message, Date.now() - 6 * 60_000)
    assert.throws(() => new Webhook(secrets[0]!).verify(message.body, headers), "too old")
  })

  it.prop(
    "any body and any secret verify",
    [FastCheck.json(), FastCheck.uint8Array({ minLength: 24, maxLength: 64 })],
    ([body, key]) => {
      const secret = `whsec_${Buffer.from(key).toString("base64")}`
      const headers = signatureHeaders({ id: "evt_1", body, secrets: [secret] }, Date.now())
      new Webhook(secret).verify(body, headers)
    }
  )
})
