import { CsvError, Parser } from "csv-parse"
import type { Buffer } from "node:buffer"
import type { Collector } from "./Collector.ts"
import { Refusal } from "./Refusal.ts"

const quote = 0x22
const lineFeed = 0x0a
const carriageReturn = 0x0d
const delimiters = [",", ";", "\t"] as const
const codes = delimiters.map((delimiter) => delimiter.charCodeAt(0))

/** Where a quoted cell ends that begins at `from`: at the quote which closes it, or at the text's end. */
const quotedEnd = (text: Buffer, from: number): number => {
  let at = text.indexOf(quote, from + 1)
  while (at !== -1 && text[at + 1] === quote) at = text.indexOf(quote, at + 2)
  return at === -1 ? text.length : at
}

/** The delimiter that occurs most in the first record, outside of quotes. */
export const delimiterOf = (text: Buffer): string => {
  const counts = codes.map(() => 0)
  let atStart = true
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]!
    if (byte === lineFeed || byte === carriageReturn) break
    if (byte === quote && atStart) at = quotedEnd(text, at)
    const delimiter = codes.indexOf(byte)
    if (delimiter !== -1) counts[delimiter]! += 1
    atStart = delimiter !== -1
  }
  return delimiters[counts.indexOf(Math.max(...counts))]!
}

/** Counts records as they come, blank ones too, and hands each on with its number. */
class Records extends Parser {
  /** How many have been read. */
  count = 0
  private readonly collector: Collector

  constructor(delimiter: string, collector: Collector) {
    super({
      bom: false,
      delimiter,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true
    })
    this.collector = collector
  }

  override push(record: ReadonlyArray<string> | null): boolean {
    if (record === null) return super.push(null)
    this.count += 1
    this.collector.add(this.count, record)
    // The parser makes an error for every record whose length is not that of the first, although it may be so.
    Object.assign(this.info, { records: 0 })
    return true
  }
}

/** Reads CSV: cells as they stand, rows as long as they are. The text is UTF-8 without a byte order mark. */
export const readCsv = (text: Buffer, collector: Collector): Promise<void> => {
  const records = new Records(delimiterOf(text), collector)
  return new Promise((resolve, reject) => {
    records.on("error", (error) => {
      const unclosed = error instanceof CsvError && error.code === "CSV_QUOTE_NOT_CLOSED"
      reject(unclosed ? new Refusal(`a quote that begins in row ${records.count + 1} is not closed`) : error)
    })
    records.on("end", resolve)
    records.resume()
    records.end(text)
  })
}
