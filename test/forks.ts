import childProcess, { type ForkOptions } from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import process from "node:process"

const { fork } = childProcess

/** By the paths of their sources. */
const bundles = JSON.parse(process.env["TEST_FORKED"]!) as Readonly<Record<string, string>>

/** `--import` and the loader of TypeScript, which a bundle does without. */
const isLoader = (flag: string, at: number, flags: ReadonlyArray<string>) =>
  flag === "--import" || flags[at - 1] === "--import"

// From here on a module of which there is a bundle is started from that. This file runs before each file of tests.
const forkBundle = (module: string, args: ReadonlyArray<string>, options: ForkOptions) => {
  const bundle = bundles[module]
  if (bundle === undefined) return fork(module, args, options)
  const execArgv = options.execArgv?.filter((...flag) => !isLoader(...flag))
  return fork(bundle, args, { ...options, ...(execArgv && { execArgv }) })
}
if (fork.name !== forkBundle.name) {
  Object.assign(childProcess, { fork: forkBundle })
  syncBuiltinESMExports()
}
