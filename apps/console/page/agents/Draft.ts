import type { Agent, AgentChange } from "outdial/client"

/** The fields of an agent that the editor changes. */
const fields = [
  "name",
  "prompt",
  "first_message",
  "voice",
  "language",
  "idle_timeout_warning",
  "idle_timeout_end",
  "max_call_length",
  "model",
  "tools",
  "transfers",
  "voicemail",
  "nudge",
  "interruptible",
  "backchannels",
  "transcription",
  "speech",
  "review"
] as const

export type Field = (typeof fields)[number]
export type Draft = Pick<Agent, Field>

export const draftOf = (agent: Draft): Draft =>
  Object.fromEntries(fields.map((field) => [field, agent[field]])) as unknown as Draft

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The fields in which two drafts differ. */
export const differing = (before: Draft, after: Draft): ReadonlyArray<Field> =>
  fields.filter((field) => !isSame(before[field], after[field]))

const isSaid = (line: string) => line.trim() !== ""

/** A draft without the empty lines that typing leaves. */
const tidy = (draft: Draft): Draft => ({
  ...draft,
  nudge: draft.nudge.filter(isSaid),
  backchannels: draft.backchannels?.filter(isSaid) ?? null
})

/** What the interface is told of a draft. */
export const changeOf = (before: Draft, after: Draft): AgentChange => {
  const change = tidy(after)
  return Object.fromEntries(differing(before, change).map((field) => [field, change[field]]))
}

/** The names of the placeholders of texts, in the order in which they first appear. */
export const placeholdersOf = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = texts.flatMap((text) =>
    [...text.matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name]) => name!.trim())
  )
  return [...new Set(names)].filter((name) => name !== "")
}

/** A field of a draft as text, for showing differences. */
export const textOf = (draft: Draft, field: Field): string => {
  const value = draft[field]
  return typeof value === "string" ? value : JSON.stringify(value, null, 2)
}
