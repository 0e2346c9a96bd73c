import { Context, Effect, Layer, Random } from "effect"

export type IdPrefix =
  | "call"
  | "msg"
  | "att"
  | "sess"
  | "evt"
  | "dlv"
  | "whk"
  | "ws"
  | "agent"
  | "pn"
  | "rec"
  | "led"
  | "camp"
  | "rcpt"
  | "imp"
  | "suite"
  | "run"
  | "play"
  | "hold"
  | "tmpl"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const base32 = (value: number, length: number): string => {
  let text = ""
  for (let rest = value, i = 0; i < length; i++) {
    text = alphabet[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** The upper and the lower half of what counts on are written by themselves: small integers are quick. */
const half = 2 ** 20

const make = Effect.sync(() => {
  let time = ""
  let last = 0
  let low = 2 ** 40 - 1
  let high = ""
  /** Begins a millisecond: the rest of its ids count on from here. */
  const begin = (now: number) =>
    Effect.zipWith(Random.nextIntBetween(0, 2 ** 40), Random.nextIntBetween(0, 2 ** 39), (first, second) => {
      last = Math.max(now, last + 1)
      time = base32(last, 10)
      high = base32(first, 8)
      low = second
    })
  const next = (prefix: IdPrefix) => {
    low += 1
    return `${prefix}_${time}${high}${base32(Math.floor(low / half), 4)}${base32(low % half, 4)}`
  }
  return Ids.of({
    make: (prefix) =>
      Effect.clockWith((clock) => {
        const now = clock.unsafeCurrentTimeMillis()
        return now > last || low >= 2 ** 40 - 1
          ? Effect.map(begin(now), () => next(prefix))
          : Effect.succeed(next(prefix))
      })
  })
})

/**
 * Opaque identifiers: a type prefix, ten characters of time (milliseconds) and sixteen of chance, in an
 * alphabet that sorts as it counts. Of two ids that one process makes the later sorts after the earlier.
 */
export class Ids extends Context.Tag("outdial/Ids")<
  Ids,
  { readonly make: (prefix: IdPrefix) => Effect.Effect<string> }
>() {
  static readonly layer = Layer.effect(this, make)
}
