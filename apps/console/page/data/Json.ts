/** A string, a run of other characters without meaning for the layout, or one that has it; blanks between are left out. */
const tokens = /"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+|[{}[\],:]/g

/**
 * JSON with its lines, each value as it was written: numbers keep their digits, objects their order and their repeated
 * keys. A text that is no JSON is left as it is.
 */
export const laidOut = (text: string): string => {
  try {
    JSON.parse(text)
  } catch {
    return text
  }
  let depth = 0
  let out = ""
  let last = ""
  const line = () => `\n${"  ".repeat(depth)}`
  for (const [token] of text.matchAll(tokens)) {
    const closes = token === "}" || token === "]"
    if (closes) depth -= 1
    const isEmpty = closes && (last === "{" || last === "[")
    if (!isEmpty && (closes || last === "{" || last === "[" || last === ",")) out += line()
    out += token === ":" ? ": " : token
    if (token === "{" || token === "[") depth += 1
    last = token
  }
  return out
}
