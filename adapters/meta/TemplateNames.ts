import type { Template } from "../../core/model/templates/Template.ts"

/** Source: Meta's message-template API: lower-case letters, digits and underscores. */
const most = 512

/** A template of ours, by what it is called at Meta. */
export interface Owned {
  readonly workspace_id: string
  readonly name: string
}

/**
 * What a template is called at Meta, where one account serves all workspaces: its name with its workspace's id in
 * front.
 */
export const toMeta = ({ customer_id, name }: Pick<Template, "customer_id" | "name">): string =>
  `${customer_id}_${name}`

/** Why a template cannot be called so; null when it can. */
export const tooLong = (template: Pick<Template, "customer_id" | "name">): string | null => {
  const over = toMeta(template).length - most
  return over <= 0 ? null : `the name must have at most ${template.name.length - over} characters here`
}

const pattern = /^(ws_[0-9a-z]+)_([0-9a-z_]+)$/

/** Null for a template that is none of ours. */
export const fromMeta = (name: string): Owned | null => {
  const match = pattern.exec(name)
  return match === null ? null : { workspace_id: match[1]!, name: match[2]! }
}
