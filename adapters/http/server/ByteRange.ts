/** What is sent of a file: the bytes from `from` until `until`, exclusive. */
export interface Slice {
  readonly from: number
  readonly until: number
}

const single = /^bytes=(\d{0,15})-(\d{0,15})$/i

/**
 * The slice that a Range header asks for; `all` for none, for several ranges and for what is no range of bytes,
 * which a server may leave aside; `beyond` when the file has no such bytes. Source: RFC 9110, section 14.
 */
export const parse = (header: string | undefined, size: number): Slice | "all" | "beyond" => {
  const found = single.exec(header?.trim() ?? "")
  if (found === null) return "all"
  const [, first = "", last = ""] = found
  if (first === "") {
    if (last === "") return "all"
    const length = Math.min(Number(last), size)
    return length === 0 ? "beyond" : { from: size - length, until: size }
  }
  const from = Number(first)
  if (last !== "" && Number(last) < from) return "all"
  if (from >= size) return "beyond"
  return { from, until: last === "" ? size : Math.min(size, Number(last) + 1) }
}
