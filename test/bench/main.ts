import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { cpus } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { Schema } from "effect"
import { benchmarks } from "./Benchmarks.ts"
import { compare, lines } from "./Compare.ts"
import { circumstances, joined, Measured, type Measurement, Told } from "./Measured.ts"

// `npm run bench -- drive place` runs two of them, `--json` all of them three times, `compare A B` compares two files.

const fail = (message: string): never => {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}

/** One run of a benchmark, whose lines go to a stream of this process: the figures, and whether it ended well. */
const once = (name: string, stream: 1 | 2) =>
  new Promise<{ readonly figures: ReadonlyArray<Told>; readonly ended: boolean }>((resolve) => {
    const figures: Array<Told> = []
    const child = spawn(
      process.execPath,
      [
        "--max-semi-space-size=24",
        // As the server has it.
        "--no-allocation-site-pretenuring",
        "--import",
        "tsx",
        fileURLToPath(new URL("./one.ts", import.meta.url)),
        name
      ],
      { stdio: ["inherit", stream, "inherit", "ipc"] }
    )
    child.on("message", (message) => figures.push(Schema.decodeUnknownSync(Told)(message)))
    child.on("close", (code) => resolve({ figures, ended: code === 0 }))
  })

const measure = async (names: ReadonlyArray<string>, runs: number, json: boolean) => {
  const figures: Array<Measurement> = []
  for (const name of names) {
    const told = []
    for (let run = 0; run < runs; run++) {
      const { ended, figures } = await once(name, json ? 2 : 1)
      if (!ended) process.exitCode = 1
      told.push(figures)
    }
    figures.push(...joined(name, told))
  }
  if (json) process.stdout.write(`${JSON.stringify({ ...circumstances(), figures }, null, 2)}\n`)
}

const read = (path: string) => Schema.decodeUnknownSync(Measured)(JSON.parse(readFileSync(path, "utf8")))

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean", default: false }, runs: { type: "string" } }
})

if (positionals[0] === "compare") {
  const [, a, b] = positionals
  if (a === undefined || b === undefined) fail("compare takes two files that --json wrote")
  else process.stdout.write(`${lines(compare(read(a), read(b))).join("\n")}\n`)
} else {
  const names = positionals.length === 0 ? Object.keys(benchmarks) : positionals
  const unknown = names.find((name) => benchmarks[name] === undefined)
  if (unknown !== undefined) fail(`no benchmark ${unknown}: ${Object.keys(benchmarks).join(", ")}`)
  const runs = Number(values.runs ?? (values.json ? 3 : 1))
  if (!Number.isInteger(runs) || runs < 1) fail("--runs takes a whole number of 1 or more")
  if (!values.json) process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}\n`)
  await measure(names, runs, values.json)
}
