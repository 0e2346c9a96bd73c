import { Context, Effect, Layer, Random, Utils } from "effect"

export type IdPrefix =
  | "call"
  | "batch"
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
  | "aud"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

const base32 = (value: number, length: number): string => {
  let text = ""
  for (let rest = value, i = 0; i < length; i++) {
    text = alphabet[rest % 32]! + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** Ids of this prefix that are made from a moment on sort after this. */
export const idsFrom = (prefix: IdPrefix, millis: number): string => `${prefix}_${base32(millis, 10)}`

const pairs = Array.from({ length: 32 ** 2 }, (_, i) => alphabet[i >> 5]! + alphabet[i & 31]!)

/** The upper and the lower half of what counts on are written by themselves: small integers are quick. */
const half = 2 ** 20
const four = (value: number): string => pairs[value >>> 10]! + pairs[value & 1_023]!

/** When what counts on gets so far, the next ids begin anew: a holder of a maker may make a million more. */
const full = 2 ** 40 - 2 ** 20

/** Makes ids there and then. A maker that is kept for long makes ids of an earlier time. */
export type IdMaker = (prefix: IdPrefix) => string

const word = Random.nextIntBetween(0, 2 ** 32)

const make = Effect.map(Effect.all([word, word, word, word]), (seed) => {
  const chance = new Utils.PCGRandom(...seed)
  let last = 0
  let low = full
  let head = ""
  /** Begins a millisecond: the rest of its ids count on from here. */
  const begin = (now: number) => {
    last = Math.max(now, last + 1)
    head = base32(last, 10) + base32(chance.integer(2 ** 40), 8)
    low = chance.integer(2 ** 39)
  }
  const next: IdMaker = (prefix) => {
    low += 1
    // What is joined is one piece of memory; what is added up would be a tree of pieces for as long as it lives.
    return [prefix, "_", head, four(Math.floor(low / half)), four(low % half)].join("")
  }
  const ready = Effect.succeed(next)
  const maker = Effect.clockWith((clock) => {
    const now = clock.unsafeCurrentTimeMillis()
    if (now > last || low >= full) begin(now)
    return ready
  })
  return Ids.of({ maker, make: (prefix) => Effect.map(maker, (make) => make(prefix)) })
})

/**
 * Opaque identifiers: a type prefix, ten characters of time (milliseconds) and sixteen of chance, in an
 * alphabet that sorts as it counts. Of two ids that one process makes the later sorts after the earlier.
 */
export class Ids extends Context.Tag("outdial/Ids")<
  Ids,
  {
    readonly make: (prefix: IdPrefix) => Effect.Effect<string>
    /** For callers that need several at one time. */
    readonly maker: Effect.Effect<IdMaker>
  }
>() {
  static readonly layer = Layer.effect(this, make)
}
