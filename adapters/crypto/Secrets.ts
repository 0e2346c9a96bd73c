import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { Effect, Layer } from "effect"
import { Secrets } from "../../core/ports/Secrets.ts"

const digest = (text: string): string => hash("sha256", text, "hex")

/** Secrets by the runtime's own cryptography. */
export const layer: Layer.Layer<Secrets> = Layer.succeed(Secrets, {
  random: (bytes) => Effect.sync(() => new Uint8Array(randomBytes(bytes))),
  digest,
  matches: (text, expected) => {
    const found = Buffer.from(digest(text))
    const wanted = Buffer.from(expected)
    return found.length === wanted.length && timingSafeEqual(found, wanted)
  }
})
