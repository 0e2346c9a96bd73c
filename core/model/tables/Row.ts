/** What a cell holds: text, or a number where the file holds a plain number and not text. */
export type Cell = string | number

export interface Row {
  /** As a spreadsheet counts: the header is row 1. */
  readonly row: number
  /** One for each column that the row has; fewer or more than the header's when the row is ragged. */
  readonly cells: ReadonlyArray<Cell>
}
