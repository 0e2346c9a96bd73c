import { Effect, Layer } from "effect"
import { NumberZones, type ZonesOf } from "../../core/ports/NumberZones.ts"

const longestPrefix = 15

/** Reads lines of `zone&zone prefix,prefix`. The longest prefix of a number counts. */
export const tableOf = (text: string): ZonesOf => {
  const zones = new Map<string, ReadonlyArray<string>>()
  for (const line of text.trim().split("\n")) {
    const [names, prefixes] = line.split(" ") as [string, string]
    const list = names.split("&")
    for (const prefix of prefixes.split(",")) zones.set(prefix, list)
  }
  return (phone_number) => {
    const digits = phone_number.slice(1)
    for (let length = Math.min(longestPrefix, digits.length); length > 0; length--) {
      const found = zones.get(digits.slice(0, length))
      if (found !== undefined) return found
    }
    return []
  }
}

/** The zones of countries and area codes as Google's libphonenumber has them. */
export const layer: Layer.Layer<NumberZones> = Layer.effect(
  NumberZones,
  Effect.map(
    Effect.cached(
      Effect.map(
        Effect.promise(() => import("./ZoneTable.ts")),
        ({ text }) => tableOf(text)
      )
    ),
    (table) => ({ table })
  )
)
