/** An element with elements in it, or with text. */
export interface Element {
  readonly name: string
  readonly attributes?: Readonly<Record<string, string | number>>
  readonly children?: ReadonlyArray<Element> | string
}

/** What XML 1.0 has no character for, lone surrogates included. Source: XML 1.0, 2.2, production 2. */
const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** White space that a reader would change is written as references. Source: XML 1.0, 2.11 and 3.3.3. */
const escaped = (text: string, special: RegExp): string =>
  text
    .replace(forbidden, "\ufffd")
    .replace(special, (character) => entities[character] ?? `&#${character.charCodeAt(0)};`)

const written = ({ attributes = {}, children = "", name }: Element, indent: string): string => {
  const start = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escaped(String(value), /[&<>"\t\n\r]/g)}"`)
    .join("")
  if (children.length === 0) return `${indent}<${name}${start}/>`
  const inside =
    typeof children === "string"
      ? escaped(children, /[&<>\r]/g)
      : `\n${children.map((child) => written(child, `${indent}  `)).join("\n")}\n${indent}`
  return `${indent}<${name}${start}>${inside}</${name}>`
}

/** A document of XML 1.0. A character that XML does not allow becomes U+FFFD. */
export const document = (root: Element): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, "")}\n`
