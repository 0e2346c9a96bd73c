import { randomUUID } from "node:crypto"
import { type FileHandle, open, unlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Chunk, Effect, Exit, Option, Stream } from "effect"

export interface Options {
  /** Where answers wait. Default: the system's folder for temporary files. */
  readonly folder: string
  /** Bytes of one answer that wait in memory. Default 512 KiB. */
  readonly memory: number
  /** Bytes of all answers on disk, together. Default 1 GiB. */
  readonly disk: number
}

/** Bytes that are read from the file at once. */
const pieceBytes = 64 * 1024

/** A file without a name, which ends with its handle even if the process is killed. */
const temporary = async (folder: string): Promise<FileHandle> => {
  const path = join(folder, `outdial-${randomUUID()}`)
  const file = await open(path, "wx+", 0o600)
  await unlink(path)
  return file
}

/** What is made of one answer and not yet read: the first pieces in memory, those behind them in a file. */
class Waiting<E> {
  private readonly pieces: Array<Uint8Array> = []
  private inMemory = 0
  private file: FileHandle | undefined
  private reserved = 0
  private written = 0
  private read = 0
  private lost: unknown
  private ended: Exit.Exit<void, E> | undefined
  private readonly news = Effect.unsafeMakeLatch(false)
  private readonly limits: Options
  /** What all answers have on disk, this one included. */
  private readonly total: { bytes: number }

  constructor(limits: Options, total: { bytes: number }) {
    this.limits = limits
    this.total = total
  }

  /** Never waits for the reader. When the piece cannot be kept the answer is lost, and its making goes on. */
  put(piece: Uint8Array): Effect.Effect<void> {
    return Effect.suspend(() => {
      if (this.lost !== undefined) return Effect.void
      const { limits, pieces, total } = this
      const fits = pieces.length === 0 || this.inMemory + piece.length <= limits.memory
      if (this.read === this.written && fits) {
        pieces.push(piece)
        this.inMemory += piece.length
        this.news.unsafeOpen()
        return Effect.void
      }
      if (total.bytes + piece.length > limits.disk)
        return this.lose("too much of other answers waits on disk")
      total.bytes += piece.length
      this.reserved += piece.length
      return Effect.matchEffect(
        Effect.tryPromise(() => this.append(piece)),
        {
          onFailure: ({ error }) => this.lose(error),
          onSuccess: () => Effect.sync(() => this.news.unsafeOpen())
        }
      )
    })
  }

  end(exit: Exit.Exit<void, E>): void {
    this.ended = exit
    this.news.unsafeOpen()
  }

  /** The next pieces, once there are some; fails with what the making of the answer has failed with. */
  readonly take: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<E>> = Effect.suspend(() => {
    if (this.pieces.length > 0) {
      this.inMemory = 0
      return Effect.succeed(Chunk.unsafeFromArray(this.pieces.splice(0)))
    }
    if (this.read < this.written) return Effect.promise(() => this.next())
    if (this.ended === undefined) {
      this.news.unsafeClose()
      return Effect.zipRight(this.news.await, this.take)
    }
    if (this.lost !== undefined) return Effect.die(this.lost)
    return Exit.isSuccess(this.ended)
      ? Effect.fail(Option.none())
      : Effect.mapError(Effect.failCause(this.ended.cause), Option.some)
  })

  readonly close = Effect.promise(async () => {
    this.total.bytes -= this.reserved
    await this.file?.close()
  })

  private lose(reason: unknown): Effect.Effect<void> {
    this.lost = reason
    return Effect.logWarning("an answer cannot wait for its client", reason)
  }

  private async append(piece: Uint8Array): Promise<void> {
    this.file ??= await temporary(this.limits.folder)
    await this.file.write(piece, 0, piece.length, this.written)
    this.written += piece.length
  }

  private async next(): Promise<Chunk.Chunk<Uint8Array>> {
    const piece = new Uint8Array(Math.min(pieceBytes, this.written - this.read))
    const { bytesRead } = await this.file!.read(piece, 0, piece.length, this.read)
    this.read += bytesRead
    return Chunk.of(piece.subarray(0, bytesRead))
  }
}

/**
 * Lets an answer be made as fast as it can be, however slowly its client reads: what the client has not read waits,
 * so that the making holds nothing for longer than it needs. An answer that cannot wait breaks off once it is made.
 */
export const make = ({ disk = 1024 ** 3, folder = tmpdir(), memory = 512 * 1024 }: Partial<Options> = {}) => {
  const total = { bytes: 0 }
  return <E>(pieces: Stream.Stream<Uint8Array, E>): Stream.Stream<Uint8Array, E> =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const waiting = yield* Effect.acquireRelease(
          Effect.sync(() => new Waiting<E>({ disk, folder, memory }, total)),
          ({ close }) => close
        )
        yield* Stream.runForEach(pieces, (piece) => waiting.put(piece)).pipe(
          Effect.onExit((exit) => Effect.sync(() => waiting.end(exit))),
          Effect.exit,
          Effect.interruptible,
          Effect.forkScoped
        )
        return Stream.repeatEffectChunkOption(waiting.take)
      })
    )
}
