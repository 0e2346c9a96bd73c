import { Effect, Layer } from "effect"
import { span } from "../../core/engine/Span.ts"
import { NumberInventory } from "../../core/ports/NumberInventory.ts"
import { lazily } from "../shared/Lazily.ts"
import * as Catalogue from "./numbers/Catalogue.ts"
import { Substrings } from "./numbers/Substrings.ts"

export interface Options {
  /** Which numbers there are. */
  readonly seed?: number | undefined
}

const standardSeed = 140

/** The place that a cursor names. One that no page ended with is behind all numbers. */
const placeOf = (cursor: string): number => (/^[0-9]{1,9}$/.test(cursor) ? Number(cursor) : Infinity)

const make = ({ seed = standardSeed }: Options) =>
  Effect.sync(() => {
    const catalogue = lazily(() => Catalogue.make(seed))
    const substrings = lazily(() => new Substrings(catalogue().numbers))
    return NumberInventory.of({
      search: ({ contains, country, cursor, limit }) =>
        Effect.sync(() => {
          const { listed, range } = catalogue()
          const [first, until] = range(country)
          const from = cursor === null ? first : Math.max(first, placeOf(cursor))
          // One more than is wanted tells whether there is a next page.
          const places =
            contains === null
              ? Array.from({ length: Math.max(0, Math.min(limit + 1, until - from)) }, (_, i) => from + i)
              : substrings().find(contains, from, until, limit + 1)
          const page = places.slice(0, limit)
          const next = places.length > limit ? String(page.at(-1)! + 1) : null
          return { numbers: page.map(listed), next }
        }).pipe(span("NumberInventory.search"))
    })
  })

export const layerWith = (options: Options): Layer.Layer<NumberInventory> =>
  Layer.effect(NumberInventory, make(options))

/** A hundred thousand numbers of fifteen countries, the same in every process. None of them can be bought. */
export const layer: Layer.Layer<NumberInventory> = layerWith({})
