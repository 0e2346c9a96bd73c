import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { root } from "../../../../apps/cli/Cli.ts"
import { type Command, last, type Path, wordsOf } from "../../../../apps/cli/command/Command.ts"
import { render } from "../../../../apps/cli/command/Help.ts"
import { commandLine, onNewDatabase } from "../commandLine.ts"

const pathsOf = (path: Path): ReadonlyArray<Path> => {
  const { children } = last(path)
  return children.length === 0 ? [path] : children.flatMap((child: Command) => pathsOf([...path, child]))
}
const commands = pathsOf([root])

const examplesOf = (help: string): ReadonlyArray<string> =>
  help
    .split(/^Examples?:$/m)[1]!
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The words of a shell line with double quotes. */
const split = (line: string): ReadonlyArray<string> =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!)

/** A server that is not there. */
const settings = { OUTDIAL_URL: "http://127.0.0.1:1/v0", OUTDIAL_API_KEY: "od_live_x" }

/** What is wrong with an example that is right, where there is nothing yet. */
const understood =
  /no such workspace: ws_01|no server answers at http:|(?:customers|agent|prompt|tools|questions|calls|template)\.\w+ cannot be read: there is no such file/

describe("help", () => {
  it("of the program lists every command", () => {
    const help = render([root])
    for (const path of commands) assert.include(help, `  ${wordsOf(path).replace("outdial ", "")} `)
  })

  for (const path of commands) {
    const name = wordsOf(path)

    it(`of ${name} says what it does, explains each option and shows how it is called`, () => {
      const help = render(path)
      assert.match(help, /^[A-Z].+\./)
      const [usage, options] = [help.split("Usage:")[1]!.split("\n\n")[0]!, help.split("Options:")[1]!]
      for (const [option] of usage.matchAll(/--[a-z-]+/g)) {
        assert.match(options, new RegExp(`^  ${option}( [A-Z=]+)?  +[A-Z]`, "m"))
      }
      assert.isNotEmpty(examplesOf(help))
      assert.isTrue(help.split("\n").every((line) => line.length <= 110))
    })

    if (!["outdial serve", "outdial carrier", "outdial doctor", "outdial migrate-store"].includes(name)) {
      it.scopedLive(`of ${name} shows examples that are understood`, () =>
        Effect.gen(function* () {
          const { run } = yield* onNewDatabase({ ...settings, OUTDIAL_JWT_SECRET: "s".repeat(32) })
          for (const example of examplesOf(render(path))) {
            const { code, err } = yield* run(...split(example).slice(1))
            assert.isTrue(code === 0 || understood.test(err), `${example}: ${err}`)
          }
        })
      )
    }
  }

  it.effect("is shown wherever --help stands, on stdout, and opens no database", () =>
    Effect.gen(function* () {
      const run = commandLine({ OUTDIAL_DATABASE_URL: "sqlite:/nowhere/x.db" })
      const ran = yield* run("credits", "add", "--bogus", "-h")
      assert.strictEqual(ran.code, 0)
      assert.strictEqual(ran.err, "")
      assert.include(ran.out, "outdial credits add --workspace ID")
    })
  )

  it("fits a narrow terminal", () => {
    const help = render([root], 72).split("Examples:")[0]!
    assert.isTrue(help.split("\n").every((line) => line.length <= 72))
  })
})
