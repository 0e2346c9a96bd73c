import type { Component } from "../../core/model/templates/Component.ts"
import type { Template } from "../../core/model/templates/Template.ts"
import * as TemplateNames from "./TemplateNames.ts"
import type { Registered } from "./Wire.ts"

type Fields = Readonly<Record<string, unknown>>

const upper = (value: unknown): unknown => (typeof value === "string" ? value.toUpperCase() : value)

/** Its keywords are in upper case at Meta, and it has no examples rather than empty ones. */
const partOf = ({ example, ...part }: Fields): Fields => {
  const given = Object.entries((example ?? {}) as Fields).filter(
    ([, samples]) => Array.isArray(samples) && samples.flat().length > 0
  )
  const keywords = Object.fromEntries(
    ["type", "format"].filter((key) => key in part).map((key) => [key, upper(part[key])])
  )
  return { ...part, ...keywords, ...(given.length === 0 ? {} : { example: Object.fromEntries(given) }) }
}

const componentOf = (component: Component): Fields =>
  component.type === "buttons"
    ? {
        type: "BUTTONS",
        buttons: component.buttons.map((button) => ({ ...button, type: upper(button.type) }))
      }
    : partOf(component)

/** A template's components as Meta takes them. Source: Meta, "Message templates: components". */
export const componentsOf = ({ components }: Template): ReadonlyArray<Fields> => components.map(componentOf)

/** What submits a template. Source: Graph API, WhatsApp Business Account, "message_templates". */
export const templateBody = (template: Template): Fields => ({
  name: TemplateNames.toMeta(template),
  language: template.language,
  category: upper(template.category),
  parameter_format: upper(template.parameter_format),
  components: componentsOf(template)
})

const digits = (value: unknown) => (typeof value === "string" ? value.replace(/\D/g, "") : null)

const buttonContent = (button: unknown) => {
  const { phone_number, text, type, url } = (button ?? {}) as Fields
  return [upper(type), text, url ?? null, digits(phone_number)]
}

/** What recipients see of a component, in one spelling. */
const content = (component: Fields): string => {
  const { buttons, format, text, type } = component
  const shown = Array.isArray(buttons) ? buttons.map(buttonContent) : null
  return JSON.stringify([upper(type), upper(format) ?? null, text ?? null, shown])
}

/** Whether a registered template says what this one does. */
export const saysTheSame = (template: Template, registered: Registered): boolean => {
  const here = componentsOf(template).map(content).sort()
  const there = (registered.components ?? []).map(content).sort()
  return here.length === there.length && here.every((text, i) => text === there[i])
}
