import { assert, describe, it } from "@effect/vitest"
import { compare, lines } from "./Compare.ts"
import { joined, type Measured, type Measurement } from "./Measured.ts"

const figure = (
  what: string,
  values: Measurement["values"],
  more: Partial<Measurement> = {}
): Measurement => ({
  benchmark: "place",
  heading: "POST /calls",
  what,
  unit: "",
  goal: null,
  values,
  ...more
})

const file = (...figures: ReadonlyArray<Measurement>): Measured => ({
  measured_at: "2026-01-01T00:00:00.000Z",
  commit: "0123456",
  machine: { processor: "a processor", cores: 2, memory_bytes: 8e9 },
  versions: { node: "v20.0.0" },
  figures
})

const verdict = (a: Measurement, b: Measurement) => compare(file(a), file(b)).changes[0]!.verdict

describe("a comparison of two files of measurements", () => {
  it("calls a difference that the runs of one file have among themselves noise", () => {
    assert.strictEqual(verdict(figure("a", [10, 12, 14]), figure("a", [14, 16, 15])), "within the noise")
    assert.strictEqual(verdict(figure("a", [15, 15, 15]), figure("a", [12, 11, 16])), "within the noise")
    assert.strictEqual(verdict(figure("a", [7]), figure("a", [7])), "within the noise")
  })

  it("knows from the goal, or from the unit, what is better", () => {
    const [few, many] = [[1, 2, 1] as const, [8, 9, 8] as const]
    const of = (more: Partial<Measurement>) => [
      verdict(figure("a", few, more), figure("a", many, more)),
      verdict(figure("a", many, more), figure("a", few, more))
    ]
    assert.deepStrictEqual(of({ unit: "/s" }), ["better", "worse"])
    assert.deepStrictEqual(of({ unit: "ms" }), ["worse", "better"])
    assert.deepStrictEqual(of({ goal: { least: 5 } }), ["better", "worse"])
    assert.deepStrictEqual(of({ goal: { most: 5 } }), ["worse", "better"])
    assert.deepStrictEqual(of({}), ["other", "other"])
  })

  it("compares medians, and tells both with the noise", () => {
    const { changes } = compare(file(figure("a", [3, 90, 4])), file(figure("a", [1_000, 1_001, 999])))
    assert.deepInclude(changes[0], { before: 4, after: 1_000, noise: 87, verdict: "other" })
  })

  it("names what only one of the files has, and tells figures of the same name by what they are of", () => {
    const there = figure("a", [1, 1, 1])
    const { added, changes, gone } = compare(
      file(there, figure("b", [1, 1, 1])),
      file(there, figure("a", [2, 2, 2], { heading: "GET /calls" }))
    )
    assert.deepStrictEqual(changes.length, 1)
    assert.deepStrictEqual(
      [gone, added].map((figures) => figures.map(({ heading, what }) => [heading, what])),
      [[["POST /calls", "b"]], [["GET /calls", "a"]]]
    )
  })

  it("says what differs in how the two were measured", () => {
    const other = { ...file(figure("a", [1, 1])), versions: { node: "v22.0.0", pg: "8.0.0" } }
    assert.deepStrictEqual(compare(file(figure("a", [1, 1, 1])), other).circumstances, [
      "node: v20.0.0, v22.0.0",
      "pg: none, 8.0.0",
      "fewer than three runs: the noise is not known"
    ])
  })

  it("prints the changes beyond the noise alone", () => {
    const told = lines(
      compare(
        file(figure("rate", [100, 110, 105], { unit: "/s" }), figure("p99", [5, 6, 7], { unit: "ms" })),
        file(figure("rate", [210, 200, 220], { unit: "/s" }), figure("p99", [6, 6, 7], { unit: "ms" }))
      )
    )
    assert.deepStrictEqual(told, [
      "POST /calls",
      `  ${"rate".padEnd(58)} 105 -> 210 /s (+100 %), noise 20: better`,
      "1 of 2 figures changed beyond the noise of their runs"
    ])
  })
})

describe("the runs of a benchmark", () => {
  it("are joined by what was measured", () => {
    const told = (what: string, value: number) => ({ heading: "h", what, unit: "", goal: null, value })
    const runs = [[told("a", 1), told("b", 2)], [told("a", 3)]]
    const figures = joined("drive", runs)
    assert.deepStrictEqual(
      figures.map(({ benchmark, values, what }) => [benchmark, what, values]),
      [
        ["drive", "a", [1, 3]],
        ["drive", "b", [2]]
      ]
    )
  })
})
