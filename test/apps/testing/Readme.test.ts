import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { transform } from "esbuild"
import { bundled } from "../../programs/Bundled.ts"
import { root, run } from "../library/Children.ts"
import { blocks } from "./blocks.ts"

/** What each program prints. */
const printed: Readonly<Record<string, string>> = {
  Callees: [
    "2026-01-05T15:00:00.000Z +14155550123 1",
    "2026-01-05T15:00:00.000Z +4930123456 1",
    "2026-01-05T15:15:01.000Z +14155550123 2",
    "2026-01-05T15:30:21.000Z +14155550123 3",
    "answered 1",
    "answered 3"
  ].join("\n"),
  Time: "0 2026-01-06T08:00:00.000Z\n1 queued\n2026-01-06T08:00:26.000Z answered",
  Webhooks: [
    '[ "+14155550002", "+14155550199" ]',
    "2026-01-05T15:00:30.000Z call_completed true",
    "2026-01-05T15:00:34.000Z call_started true",
    "2026-01-05T15:00:54.000Z call_completed true"
  ].join("\n"),
  "A carrier that fails": "0\nservice_unavailable\n1 answered",
  "Software in another process": "POST /hooks string",
  "The same every time": "true false"
}

const project = { application: "The application", vitest: "With vitest", node: "With node:test" }

const tsx = createRequire(import.meta.url).resolve("tsx")
let folder = ""

/** A block, with a module of its own in the place of each of the package's. */
const written = new Map<string, string>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "outdial-testing-"))
  symlinkSync(`${root}node_modules`, join(folder, "node_modules"))
  writeFileSync(join(folder, "package.json"), '{"type":"module"}')
  const names = ["client", "testing"] as const
  const sources = names.map((name) => [name, `${root}apps/${name}/main.ts`] as const)
  await Effect.runPromise(bundled(folder, Object.fromEntries(sources)))
  for (const [heading, code] of blocks) {
    const bound = names.reduce(
      (text, name) =>
        text.replaceAll(`"outdial/${name}"`, JSON.stringify(pathToFileURL(join(folder, `${name}.mjs`)).href)),
      code
    )
    written.set(heading, bound)
  }
  writeFileSync(join(folder, "reminders.ts"), written.get(project.application)!)
  writeFileSync(join(folder, "vitest.test.ts"), written.get(project.vitest)!)
  writeFileSync(join(folder, "node.test.ts"), written.get(project.node)!)
})

/** Writes a block as JavaScript, which is its own without the types. */
const writeScript = async (name: string, heading: string) => {
  const { code } = await transform(written.get(heading)!, { loader: "ts" })
  writeFileSync(join(folder, name), code)
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe("the README of outdial/testing", () => {
  it("has a test for each of its blocks", () => {
    assert.sameMembers([...blocks.keys()], [...Object.values(project), ...Object.keys(printed)])
  })

  it.live(
    "has an example for vitest that passes",
    () =>
      Effect.gen(function* () {
        const vitest = `${root}node_modules/vitest/vitest.mjs`
        const { code, output } = yield* run(
          [process.execPath, vitest, "run", "--root", folder, "--testTimeout=30000", "vitest.test.ts"],
          { cwd: folder }
        )
        assert.strictEqual(code, 0, output)
        assert.match(output, /Tests {2}1 passed/)
      }),
    60_000
  )

  it.live(
    "has an example for node:test that passes",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* run(
          [process.execPath, "--import", tsx, "--test", join(folder, "node.test.ts")],
          { cwd: folder }
        )
        assert.strictEqual(code, 0, output)
        assert.match(output, /pass 1\b/)
      }),
    60_000
  )

  it.live(
    "has programs that run as they stand, and print what they should",
    () =>
      Effect.gen(function* () {
        const headings = Object.keys(printed)
        yield* Effect.promise(() =>
          Promise.all(headings.map((heading, i) => writeScript(`${i}.mjs`, heading)))
        )
        const all = headings.map(
          (heading, i) => `console.log(${JSON.stringify(`# ${heading}`)})\nawait import("./${i}.mjs")`
        )
        writeFileSync(join(folder, "all.mjs"), all.join("\n"))
        const { code, output } = yield* run([process.execPath, join(folder, "all.mjs")])
        assert.strictEqual(code, 0, output)
        const expected = headings.map((heading) => `# ${heading}\n${printed[heading]}\n`).join("")
        assert.strictEqual(output.replaceAll("'", '"'), expected)
      }),
    60_000
  )
})
