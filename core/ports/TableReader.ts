import { Context, Data, type Effect, type Scope, type Stream } from "effect"
import type { Row } from "../model/tables/Row.ts"

/** A table whose file has been read to its end and found sound. */
export interface Table {
  readonly format: "csv" | "xlsx"
  /** The cells of row 1, as they stand. */
  readonly header: ReadonlyArray<string>
  /** The rows that are not blank, in slices, in order. To be run once, while the scope lasts. */
  readonly rows: Stream.Stream<ReadonlyArray<Row>>
}

/** The file cannot be taken as a table. The message says why, and repeats nothing of the file. */
export class TableRefused extends Data.TaggedError("TableRefused")<{ readonly message: string }> {}

/** Other files are being read for so long that this one did not get its turn. It may be sent again later. */
export class TablesBusy extends Data.TaggedError("TablesBusy")<{}> {
  override readonly message = "other files are being read; send the same file again later"
}

/** Reads uploaded tables: CSV in UTF-8, and XLSX. What a file is, its content tells, not its name. */
export class TableReader extends Context.Tag("outdial/TableReader")<
  TableReader,
  {
    /** Waits for its turn first: a workspace has one file read at a time. The turn ends with the scope. */
    readonly open: (
      workspace_id: string,
      file: Uint8Array
    ) => Effect.Effect<Table, TableRefused | TablesBusy, Scope.Scope>
  }
>() {}
