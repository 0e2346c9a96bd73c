import { type Duration, Effect, Layer, Option, type Scope, Stream } from "effect"
import type { Row } from "../../core/model/tables/Row.ts"
import { type Table, TableReader, TableRefused, TablesBusy } from "../../core/ports/TableReader.ts"
import type { Answer } from "./Protocol.ts"
import type { Ended, ReaderProcess } from "./ReaderProcess.ts"
import * as Readers from "./Readers.ts"

export interface Options {
  /** Rows below the header. Default 500,000. */
  readonly maxRows?: number | undefined
  /** Columns of the header. Default 500. */
  readonly maxColumns?: number | undefined
  /** Cells of any row. Default 2,000. */
  readonly maxCells?: number | undefined
  /** Bytes that an XLSX may inflate to. Default 128 MiB. */
  readonly maxInflated?: number | undefined
  /** How long a file may wait for its turn. Default 30 s. */
  readonly turn?: Duration.DurationInput | undefined
  /** How long the reading may take once it is the file's turn. Default 30 s. */
  readonly deadline?: Duration.DurationInput | undefined
  /** The limit of a reader's heap, in MiB. Default 512. */
  readonly memory?: number | undefined
  /** How many files are read at once, of as many workspaces. Default 2. */
  readonly readers?: number | undefined
}

const refused = (message: string) => Effect.fail(new TableRefused({ message }))

/** A reader that fails of itself is a fault of this program, and not of the file. */
const broken = (ended: Ended) => Effect.dieMessage(`the table reader's process has ${ended}`)

const unexpected = (answer: Answer) => Effect.dieMessage(`the table reader answered ${answer._tag}`)

const rowsFrom = (reader: ReaderProcess): Table["rows"] =>
  Stream.repeatEffectOption(
    reader.ask({ _tag: "Next" }).pipe(
      Effect.catchAll(broken),
      Effect.flatMap((answer) => {
        if (answer._tag === "Slice") return Effect.succeed(JSON.parse(answer.rows) as ReadonlyArray<Row>)
        return answer._tag === "End" ? Effect.fail(Option.none()) : unexpected(answer)
      })
    )
  )

const make = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<(typeof TableReader)["Service"], never, Scope.Scope> {
  const readers = yield* Readers.make({ memory: options.memory ?? 512, most: options.readers ?? 2 })
  const turn = options.turn ?? "30 seconds"
  const deadline = options.deadline ?? "30 seconds"
  const limits = {
    rows: options.maxRows ?? 500_000,
    columns: options.maxColumns ?? 500,
    cells: options.maxCells ?? 2000,
    inflated: options.maxInflated ?? 128 * 1024 * 1024
  }

  const read = Effect.fnUntraced(function* (reader: ReaderProcess, file: Uint8Array) {
    const answer = yield* reader
      .ask({ _tag: "Open", file, limits })
      .pipe(
        Effect.catchAll((ended) =>
          ended === "struck down" ? refused("the file is too large to be read") : broken(ended)
        )
      )
    if (answer._tag === "Refused") return yield* refused(answer.message)
    if (answer._tag !== "Opened") return yield* unexpected(answer)
    return { format: answer.format, header: answer.header, rows: rowsFrom(reader) }
  })

  return {
    open: Effect.fn("TableReader.open")(function* (workspace_id: string, file: Uint8Array) {
      const reader = yield* Effect.timeoutFail(readers.take(workspace_id), {
        duration: turn,
        onTimeout: () => new TablesBusy()
      })
      return yield* Effect.timeoutFail(read(reader, file), {
        duration: deadline,
        onTimeout: () => new TableRefused({ message: "the file takes too long to be read" })
      })
    })
  }
})

export const layerWith = (options: Options): Layer.Layer<TableReader> =>
  Layer.scoped(TableReader, make(options))

/** CSV and XLSX, read by processes of their own within fixed limits of time and memory. */
export const layer: Layer.Layer<TableReader> = layerWith({})
