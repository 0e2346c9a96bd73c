/** What a file may ask of a reader. */
export interface Limits {
  /** Rows below the header, as far as the last that is not blank. */
  readonly rows: number
  /** Columns of the header. */
  readonly columns: number
  /** Cells of any row. */
  readonly cells: number
  /** Bytes that the parts of an XLSX may inflate to, all together, and about those of the rows made of them. */
  readonly inflated: number
}

/** What a reader's process is asked, one at a time. `Close` drops what is left of a file and is not answered. */
export type Request =
  | { readonly _tag: "Open"; readonly file: Uint8Array; readonly limits: Limits }
  | { readonly _tag: "Next" }
  | { readonly _tag: "Close" }

/** `rows` of a slice is the JSON of an array of `Row`. `Failed` is a fault of the reader and not of the file. */
export type Answer =
  | { readonly _tag: "Opened"; readonly format: "csv" | "xlsx"; readonly header: ReadonlyArray<string> }
  | { readonly _tag: "Refused"; readonly message: string }
  | { readonly _tag: "Slice"; readonly rows: string }
  | { readonly _tag: "End" }
