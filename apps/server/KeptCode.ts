import { createHash } from "node:crypto"
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"
import { createRequire } from "node:module"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { cachedDataVersionTag } from "node:v8"
import { Script } from "node:vm"

const digestLength = 32

/** V8 compares the length of a source alone, and does not look whether the code is whole. */
const digestOf = (source: string, code: Buffer) =>
  createHash("sha256")
    .update(`${process.version} ${process.arch} ${cachedDataVersionTag()}\n`)
    .update(source, "latin1")
    .update(code)
    .digest()

/** Of this source and this Node; undefined as well where the file cannot be read. */
const keptFor = (source: string, cache: URL): Buffer | undefined => {
  try {
    const file = readFileSync(cache)
    const code = file.subarray(digestLength)
    return digestOf(source, code).equals(file.subarray(0, digestLength)) ? code : undefined
  } catch {
    return undefined
  }
}

/** Where the file cannot be written, each start compiles. */
const write = (source: string, code: Buffer, cache: URL) => {
  try {
    const file = openSync(cache, "w")
    writeSync(file, digestOf(source, code))
    writeSync(file, code)
    closeSync(file)
  } catch {
    return
  }
}

type Program<A> = (require: NodeJS.Require, module: { exports: A }, importMetaUrl: string) => void

/**
 * Runs a program in a file of ASCII, which is a function of `require`, `module` and `importMetaUrl`, with the code that V8
 * compiled of it before. It takes itself for a module beside this one. `keep` is there when no code was kept: it keeps
 * what V8 has compiled until then.
 */
export const load = <A>(program: URL, cache: URL) => {
  const source = readFileSync(program, "latin1")
  const cachedData = keptFor(source, cache)
  const script = new Script(source, { filename: fileURLToPath(program), ...(cachedData && { cachedData }) })
  const module = { exports: {} as A }
  ;(script.runInThisContext() as Program<A>)(createRequire(program), module, import.meta.url)
  const isKept = cachedData !== undefined && script.cachedDataRejected === false
  return {
    exports: module.exports,
    ...(!isKept && { keep: () => write(source, script.createCachedData(), cache) })
  }
}
