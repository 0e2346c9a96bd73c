import { Effect, Layer } from "effect"
import * as Catalogue from "../../adapters/simulated/numbers/Catalogue.ts"
import { Substrings } from "../../adapters/simulated/numbers/Substrings.ts"
import * as MemoryInventory from "../../adapters/simulated/SimulatedInventory.ts"
import type { Wanted } from "../../core/model/numbers/AvailableNumber.ts"
import { NumberInventory } from "../../core/ports/NumberInventory.ts"
import { AvailableNumbers } from "../../core/usecases/AvailableNumbers.ts"
import * as Report from "./Report.ts"

const rounds = 200

const questions: ReadonlyArray<Wanted> = [
  { country: null, contains: null },
  { country: "US", contains: "5" },
  { country: "US", contains: "55" },
  { country: "US", contains: "555" },
  { country: "US", contains: "+1415" },
  { country: null, contains: "9876" },
  { country: "IN", contains: "22" },
  { country: "ZA", contains: "000" },
  { country: null, contains: "+9" },
  { country: null, contains: "1234567" },
  { country: "IN", contains: "+91140" }
]

const told = ({ contains, country }: Wanted) => `${contains ?? "everything"} of ${country ?? "all countries"}`

/** Milliseconds of each round, after a few that warm up. */
const costs = Effect.fnUntraced(function* (question: Effect.Effect<unknown, unknown>) {
  const spent: Array<number> = []
  for (let round = -20; round < rounds; round++) {
    const start = performance.now()
    yield* question
    if (round >= 0) spent.push(performance.now() - start)
  }
  return spent
})

const ninetyNinth = (values: ReadonlyArray<number>) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)]!

/** A hundred of a hundred thousand numbers by a part of them, from the catalogue in memory. */
export const run = Effect.gen(function* () {
  Report.heading("browsing 100 of 100,000 numbers in memory, median and 99th percentile")
  let start = performance.now()
  const { numbers } = Catalogue.make(1)
  Report.line("the catalogue, at the first use", Report.millis(performance.now() - start))
  start = performance.now()
  const { bytes } = new Substrings(numbers)
  Report.line("the index, at the first search", Report.millis(performance.now() - start))
  Report.line("the index's memory", Report.megabytes(bytes), Report.atMost(5))
  const { browse } = yield* AvailableNumbers
  const { search } = yield* NumberInventory
  for (const question of questions) {
    const found = yield* browse(question, 100)
    const one = yield* costs(search({ ...question, cursor: null, limit: 100 }))
    const whole = yield* costs(browse(question, 100))
    const figures = [one, whole].flatMap((spent) => [Report.median(spent), ninetyNinth(spent)])
    const [page, pageWorst, answer, answerWorst] = figures.map(Report.millis)
    Report.line(`a page, median: ${told(question)}`, page!)
    Report.line(`a page, p99: ${told(question)}`, pageWorst!, Report.atMost(5))
    Report.line(`  the answer, ${found.length} numbers`, `${answer} ${answerWorst}`)
  }
}).pipe(
  Effect.provide(
    AvailableNumbers.layer.pipe(
      Layer.provideMerge(MemoryInventory.layer),
      Layer.merge(Layer.setTracerEnabled(false))
    )
  ),
  Effect.orDie
)
