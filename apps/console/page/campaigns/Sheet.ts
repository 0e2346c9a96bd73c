/** A CSV file of recipients, row by row. */
export interface Sheet {
  readonly name: string
  readonly header: ReadonlyArray<string>
  readonly delimiter: string
  readonly rows: ReadonlyArray<SheetRow>
}

export interface SheetRow {
  /** As the file counted it that was sent in first; the header is row 1. */
  readonly label: number
  readonly cells: ReadonlyArray<string>
}

const delimiters = [",", ";", "\t"]

/** The one that occurs most in the first line, outside of quotes: as the server finds it. */
const delimiterOf = (text: string): string => {
  const line = /^(?:"(?:[^"]|"")*"|[^\r\n])*/.exec(text)![0].replaceAll(/"(?:[^"]|"")*"/g, "")
  const counts = delimiters.map((each) => line.split(each).length)
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

/** Reads the text of a file by the parser that the server reads it with, so that rows are counted alike. */
const read = async (name: string, text: string): Promise<Sheet> => {
  const { parse } = await import("csv-parse/browser/esm/sync")
  const delimiter = delimiterOf(text)
  const records: ReadonlyArray<ReadonlyArray<string>> = parse(text, {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true
  })
  const [header = [], ...rows] = records
  return { name, header, delimiter, rows: rows.map((cells, i) => ({ label: i + 2, cells })) }
}

/** The rows of a file; null where it is no CSV that can be read. */
export const sheetOf = async (file: File): Promise<Sheet | null> => {
  if (/\.xlsx$/i.test(file.name)) return null
  try {
    return await read(file.name, await file.text())
  } catch {
    return null
  }
}

const needsQuotes = /["\r\n,;\t]|^\s|\s$/

const cellOf = (text: string): string => (needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** The same rows as the text of a file. */
export const textOf = ({ delimiter, header, rows }: Sheet): string =>
  [header, ...rows.map(({ cells }) => cells)]
    .map((cells) => `${cells.map(cellOf).join(delimiter)}\r\n`)
    .join("")

export const fileOf = (sheet: Sheet): File => new File([textOf(sheet)], sheet.name, { type: "text/csv" })
