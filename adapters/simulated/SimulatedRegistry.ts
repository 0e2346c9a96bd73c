import { Effect, Layer } from "effect"
import type { Template } from "../../core/model/templates/Template.ts"
import { type Submission, TemplateRegistry } from "../../core/ports/TemplateRegistry.ts"

const forbidden = ["free money", "guaranteed winner", "act now or lose"]

const textsOf = ({ components }: Template): string =>
  components
    .flatMap((component) => ("text" in component ? [component.text] : []))
    .join("\n")
    .toLowerCase()

const reasonOf = (template: Template): string | null => {
  if (template.name.startsWith("reject_")) return "the name begins with reject_"
  const texts = textsOf(template)
  const phrase = forbidden.find((each) => texts.includes(each))
  return phrase === undefined ? null : `the text promises what may not be promised: "${phrase}"`
}

/** FNV-1a, 32 bits. */
const hash = (text: string, seed: number): number => {
  let value = seed
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 16_777_619) >>> 0
  return value
}

/** The same for the same workspace, name and language, in every process. */
const idOf = ({ customer_id, language, name }: Template): string => {
  const key = `${customer_id} ${name} ${language}`
  const digits = [2_166_136_261, 3_735_928_559].map((seed) => String(hash(key, seed)).padStart(10, "0"))
  return `1${digits.join("")}`
}

const review = (template: Template): Submission => {
  const rejection_reason = reasonOf(template)
  return {
    provider_template_id: idOf(template),
    status: rejection_reason === null ? "approved" : "rejected",
    rejection_reason
  }
}

/**
 * A registry that reviews on the spot, by rules: it rejects a name that begins with `reject_` and a text that makes
 * certain promises, and approves the rest. It answers from the template alone and keeps nothing.
 */
export const layer: Layer.Layer<TemplateRegistry> = Layer.succeed(TemplateRegistry, {
  submit: Effect.fn("TemplateRegistry.submit")((template) => Effect.sync(() => review(template))),
  remove: Effect.fn("TemplateRegistry.remove")(() => Effect.void)
})
