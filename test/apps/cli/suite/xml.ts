/** An element as it was read: with elements in it, or with text. */
export interface Read {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: ReadonlyArray<Read>
  readonly text: string
}

const notACharacter = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u
const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const resolved = (text: string): string =>
  text.replace(/&([^;&]*;?)/g, (whole, reference: string) => {
    const name = reference.slice(0, -1)
    if (!reference.endsWith(";")) throw new Error(`a bare ampersand: ${whole}`)
    const code = /^#(\d+)$/.exec(name)?.[1]
    const character = code === undefined ? references[name] : String.fromCodePoint(Number(code))
    if (character === undefined || notACharacter.test(character))
      throw new Error(`no such character: ${whole}`)
    return character
  })

/**
 * Reads the part of XML 1.0 that needs no document type, comment or CDATA, as strictly as the standard: anything
 * that is not well-formed throws. White space is normalised as readers do.
 */
export const parse = (document: string): Read => {
  if (notACharacter.test(document)) throw new Error("a character that XML 1.0 forbids")
  const source = document.replace(/\r\n?/g, "\n")
  const head = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!source.startsWith(head)) throw new Error("no declaration")
  let at = head.length

  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(source)
    if (found !== null) at = pattern.lastIndex
    return found
  }

  const attributesOf = (): Record<string, string> => {
    const attributes: Record<string, string> = Object.create(null)
    for (;;) {
      const found = take(/\s+([A-Za-z][\w.-]*)="([^<"]*)"/y)
      if (found === null) return attributes
      const [, name = "", value = ""] = found
      if (name in attributes) throw new Error(`two attributes ${name}`)
      attributes[name] = resolved(value.replace(/[\t\n]/g, " "))
    }
  }

  const element = (): Read => {
    const name = take(/<([A-Za-z][\w.-]*)/y)?.[1]
    if (name === undefined) throw new Error(`no element at ${at}`)
    const attributes = attributesOf()
    if (take(/\/>/y) !== null) return { name, attributes, children: [], text: "" }
    if (take(/>/y) === null) throw new Error(`a start tag that does not end, at ${at}`)
    const children: Array<Read> = []
    let text = ""
    for (;;) {
      const piece = take(/[^<]+/y)?.[0] ?? ""
      if (piece.includes("]]>")) throw new Error("the end of a CDATA section in text")
      text += resolved(piece)
      if (source.startsWith("</", at)) break
      children.push(element())
    }
    if (take(/<\/([A-Za-z][\w.-]*)>/y)?.[1] !== name) throw new Error(`${name} is not closed, at ${at}`)
    return { name, attributes, children, text: children.length === 0 ? text : text.trim() }
  }

  const root = element()
  if (source.slice(at).trim() !== "") throw new Error("something after the root")
  return root
}
