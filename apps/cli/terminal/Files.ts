import { Chunk, Effect, Exit, Stream } from "effect"
import * as NodeStream from "@effect/platform-node/NodeStream"
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { createReadStream } from "node:fs"
import { dirname } from "node:path"
import { CommandFailed } from "./Failure.ts"

const codes: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EACCES: "access is denied",
  EPERM: "access is denied",
  EISDIR: "it is a folder",
  ENOTDIR: "its folder is a file",
  ENOSPC: "the disk is full",
  EROFS: "the disk cannot be written"
}

const reasonOf = (error: unknown): string => {
  const { cause, code } = (error ?? {}) as { readonly cause?: unknown; readonly code?: string }
  const found = code ?? (cause as { readonly code?: string } | undefined)?.code ?? "no reason given"
  return codes[found] ?? found
}

const unusable = (path: string, verb: "read" | "written") => (error: unknown) =>
  new CommandFailed({ message: `${path} cannot be ${verb}: ${reasonOf(error)}` })

/** An existing file: its bytes as they are read, and its size, if that is known before. */
export const source = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const info = yield* Effect.mapError(files.stat(path), unusable(path, "read"))
  if (info.type === "Directory") return yield* unusable(path, "read")({ code: "EISDIR" })
  return {
    size: info.type === "File" ? Number(info.size) : undefined,
    // A pipe cannot be read at positions, as the file system service does.
    bytes: NodeStream.fromReadable<CommandFailed>(() => createReadStream(path), unusable(path, "read"))
  }
})

/** A file from its beginning to its end. */
export const bytesOf = Effect.fnUntraced(function* (path: string) {
  const { bytes } = yield* source(path)
  return Buffer.concat(Chunk.toReadonlyArray(yield* Stream.runCollect(bytes)))
})

/** A file of UTF-8, without the mark of its byte order. */
export const textOf = (path: string) =>
  Effect.map(bytesOf(path), (bytes) => bytes.toString("utf8").replace(/^\uFEFF/, ""))

/** Makes sure that a file can be written, before the work whose result it is to hold. Makes its folder. */
export const prepare = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const folder = dirname(path)
  const found = yield* Effect.option(files.stat(path))
  if (found._tag === "Some" && found.value.type === "Directory") {
    return yield* unusable(path, "written")({ code: "EISDIR" })
  }
  yield* files
    .makeDirectory(folder, { recursive: true })
    .pipe(
      Effect.zipRight(files.access(folder, { writable: true })),
      Effect.mapError(unusable(path, "written"))
    )
})

/**
 * Writes a file from its beginning to its end, or leaves what was there: the new content takes the file's name
 * only once it is complete. A pipe or device is written directly.
 */
export const write = Effect.fnUntraced(function* <E, R>(
  path: string,
  bytes: Stream.Stream<Uint8Array, E, R>
) {
  const files = yield* FileSystem.FileSystem
  const written = <A, R>(work: Effect.Effect<A, PlatformError, R>) =>
    Effect.mapError(work, unusable(path, "written"))
  const fill = (place: string, flag: FileSystem.OpenFlag) =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = yield* written(files.open(place, { flag }))
        yield* Stream.runForEach(bytes, (piece) => written(file.writeAll(piece)))
      })
    )
  const found = yield* Effect.option(files.stat(path))
  if (found._tag === "Some" && found.value.type !== "File") {
    return yield* found.value.type === "Directory"
      ? unusable(path, "written")({ code: "EISDIR" })
      : fill(path, "w")
  }
  const target = found._tag === "Some" ? yield* written(files.realPath(path)) : path
  const part = `${target}.${process.pid}.part`
  yield* fill(part, "wx").pipe(
    Effect.zipRight(written(files.rename(part, target))),
    Effect.onExit((exit) => (Exit.isFailure(exit) ? Effect.ignore(files.remove(part)) : Effect.void))
  )
})
