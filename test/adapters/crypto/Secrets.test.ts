import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FastCheck from "effect/FastCheck"
import { layer } from "../../../adapters/crypto/Secrets.ts"
import { Secrets } from "../../../core/ports/Secrets.ts"

describe("Secrets", () => {
  it.effect("digests to the SHA-256 of the UTF-8 bytes in hexadecimal", () =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      // FIPS 180-4 example "abc"
      assert.strictEqual(
        secrets.digest("abc"),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      )
      // sha256sum of the bytes c3 a9
      assert.strictEqual(
        secrets.digest("é"),
        "4a99557e4033c3539de2eb65472017cad5f9557f7a0625a09f1c3f6e2ba69c4c"
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect.prop(
    "matches a text with its own digest and no other",
    [FastCheck.string(), FastCheck.string()],
    ([text, other]) =>
      Effect.gen(function* () {
        const secrets = yield* Secrets
        assert.isTrue(secrets.matches(text, secrets.digest(text)))
        assert.strictEqual(secrets.matches(other, secrets.digest(text)), other === text)
      }).pipe(Effect.provide(layer))
  )

  it.effect("a digest of another length matches nothing and breaks nothing", () =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const digest = secrets.digest("abc")
      for (const wrong of ["", "é", digest.slice(1), `${digest}0`]) {
        assert.isFalse(secrets.matches("abc", wrong))
      }
    }).pipe(Effect.provide(layer))
  )

  it.effect("chance has the length asked for and does not repeat", () =>
    Effect.gen(function* () {
      const secrets = yield* Secrets
      const drawn = yield* Effect.replicateEffect(secrets.random(32), 100)
      assert.isTrue(drawn.every((bytes) => bytes.length === 32))
      assert.strictEqual(new Set(drawn.map((bytes) => Buffer.from(bytes).toString("hex"))).size, 100)
    }).pipe(Effect.provide(layer))
  )
})
