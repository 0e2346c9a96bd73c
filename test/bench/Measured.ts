import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus, totalmem } from "node:os"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"

const root = new URL("../../", import.meta.url)

/** What a figure has to reach, in the figure's unit. */
export const Goal = Schema.Union(
  Schema.Struct({ least: Schema.Number }),
  Schema.Struct({ most: Schema.Number })
)
export type Goal = typeof Goal.Type

const described = {
  /** What the benchmark's lines have in common. */
  heading: Schema.String,
  what: Schema.String,
  /** Empty for a part or a multiple. */
  unit: Schema.String,
  goal: Schema.NullOr(Goal)
}

/** A figure of one run, as the process of a benchmark tells it. */
export const Told = Schema.Struct({ ...described, value: Schema.Number })
export type Told = typeof Told.Type

/** A figure with its value in each run. */
export const Measurement = Schema.Struct({
  benchmark: Schema.String,
  ...described,
  values: Schema.NonEmptyArray(Schema.Number)
})
export type Measurement = typeof Measurement.Type

/** What `npm run bench -- --json` writes. */
export const Measured = Schema.Struct({
  measured_at: Schema.String,
  /** The commit of the sources, followed by `, changed` where a file differs from it. */
  commit: Schema.String,
  machine: Schema.Struct({ processor: Schema.String, cores: Schema.Number, memory_bytes: Schema.Number }),
  versions: Schema.Record({ key: Schema.String, value: Schema.String }),
  figures: Schema.Array(Measurement)
})
export type Measured = typeof Measured.Type

/** Joins the figures of each run of a benchmark; a figure that some run lacks has fewer values. */
export const joined = (
  benchmark: string,
  runs: ReadonlyArray<ReadonlyArray<Told>>
): ReadonlyArray<Measurement> => {
  const figures = new Map<string, Measurement>()
  for (const { value, ...told } of runs.flat()) {
    const key = keyOf({ benchmark, ...told })
    const [first, ...others] = figures.get(key)?.values ?? []
    figures.set(key, {
      benchmark,
      ...told,
      values: first === undefined ? [value] : [first, ...others, value]
    })
  }
  return [...figures.values()]
}

/** By what a figure is found in another file. */
export const keyOf = ({ benchmark, heading, what }: Pick<Measurement, "benchmark" | "heading" | "what">) =>
  [benchmark, heading, what].join("\n")

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim()

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`node_modules/${name}/package.json`, root)), "utf8")).version

const packages = ["effect", "@effect/platform", "@effect/sql", "better-sqlite3", "pg", "fastify"]

/** Where and of what the figures are. */
export const circumstances = (): Omit<Measured, "figures"> => ({
  measured_at: new Date().toISOString(),
  commit: git("rev-parse", "HEAD") + (git("status", "--porcelain") === "" ? "" : ", changed"),
  machine: { processor: cpus()[0]?.model ?? "unknown", cores: cpus().length, memory_bytes: totalmem() },
  versions: {
    node: process.version,
    v8: process.versions.v8,
    ...Object.fromEntries(packages.map((name) => [name, versionOf(name)]))
  }
})
