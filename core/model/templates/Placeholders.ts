import type { ParameterFormat } from "./Template.ts"

const placeholder = /\{\{([^{}]*)\}\}/

/** A text in turns: what stands before a placeholder, the placeholder, what stands behind it, and so on. */
interface Split {
  /** The names or numbers, in their order, as often as they stand there. */
  readonly placeholders: ReadonlyArray<string>
  /** One more than there are placeholders. */
  readonly between: ReadonlyArray<string>
}

const split = (text: string): Split => {
  const turns = text.split(placeholder)
  return {
    placeholders: turns.filter((_, i) => i % 2 === 1),
    between: turns.filter((_, i) => i % 2 === 0)
  }
}

const isTorn = (between: ReadonlyArray<string>): boolean =>
  between.some(
    (text, i) =>
      text.includes("{{") ||
      text.includes("}}") ||
      (i > 0 && text.startsWith("}")) ||
      (i < between.length - 1 && text.endsWith("{"))
  )

const forms: Readonly<Record<ParameterFormat, { readonly form: RegExp; readonly rule: string }>> = {
  positional: { form: /^[1-9][0-9]{0,3}$/, rule: "must have placeholders such as {{1}}, without spaces" },
  named: {
    form: /^[a-z][a-z0-9_]{0,99}$/,
    rule: "must have placeholders such as {{first_name}}: lower-case letters, digits and underscores"
  }
}

/** What the placeholders of a text are, or the rule that one of them breaks. */
export type Reading =
  | { readonly rule: string }
  | (Split & {
      readonly rule: null
      /** Each once: by number, or in order of first appearance. */
      readonly distinct: ReadonlyArray<string>
    })

/** Reads a text's placeholders. Positional ones are numbered from 1 without gaps. */
export const placeholdersOf = (text: string, format: ParameterFormat): Reading => {
  const { between, placeholders } = split(text)
  if (isTorn(between)) return { rule: "must have its braces {{ and }} in pairs around a placeholder" }
  const { form, rule } = forms[format]
  if (!placeholders.every((name) => form.test(name))) return { rule }
  const distinct = [...new Set(placeholders)]
  if (format === "positional") {
    distinct.sort((left, right) => Number(left) - Number(right))
    if (distinct.some((name, i) => Number(name) !== i + 1)) {
      return { rule: "must have its placeholders numbered from {{1}} without gaps" }
    }
  }
  return { rule: null, placeholders, between, distinct }
}
