import { spawnSync } from "node:child_process"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandLine } from "../commandLine.ts"

/** Each gives the words that complete `outdial call ba`, after the script has been read. */
const shells = {
  bash: {
    args: ["--norc", "-c"],
    ask: `COMP_WORDS=(outdial call ba); COMP_CWORD=2; _outdial; printf '%s\\n' "\${COMPREPLY[@]}"`
  },
  // Without a terminal there is no completion system: the two functions of it that the script uses stand in.
  zsh: {
    args: ["-f", "-c"],
    before: "compdef() { : }; _files() { : }; _describe() { print -rl -- ${(P)2} }",
    ask: "words=(outdial call ba); CURRENT=3; _outdial | grep '^ba'"
  },
  fish: { args: ["--no-config", "-c"], ask: 'complete -C "outdial call ba"' }
} as const

describe("completions", () => {
  for (const [name, { args, ask, ...rest }] of Object.entries(shells)) {
    const isThere = spawnSync(name, ["--version"]).status === 0

    it.effect.skipIf(!isThere)(`complete a subcommand in ${name}`, () =>
      Effect.gen(function* () {
        const { code, out } = yield* commandLine({})("--completions", name)
        assert.strictEqual(code, 0)
        const script = ["before" in rest ? rest.before : "", out, ask].join("\n")
        const { stderr, stdout } = spawnSync(name, [...args, script], { encoding: "utf8" })
        assert.strictEqual(stderr, "")
        assert.match(stdout, /^batch\b/)
        assert.strictEqual(stdout.trim().split("\n").length, 1)
      })
    )
  }

  it.effect("are refused for a shell that is not known", () =>
    Effect.gen(function* () {
      const { code, err } = yield* commandLine({})("--completions", "tcsh")
      assert.strictEqual(code, 2)
      assert.include(err, "bash, zsh, fish")
    })
  )
})
