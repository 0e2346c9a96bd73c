import type { AgentVersion } from "../../../core/model/agents/Agent.ts"
import { type AgentRecord } from "../../../core/model/agents/Agent.ts"
import * as Flags from "../command/Flags.ts"
import { type Column, moment, pairs } from "../terminal/Table.ts"

type Agent = typeof AgentRecord.Type
type Version = typeof AgentVersion.Type

export const id = Flags.argument("AGENT_ID", "The agent's id, as `agent list` shows it.")

export const path = "/agents"
export const pathOf = (agentId: string): string => `${path}/${encodeURIComponent(agentId)}`

/** `not published`, `version 2`, `version 2, with unpublished changes` */
export const standing = ({ published, unpublished_changes, version }: Agent): string => {
  if (!published) return version === null ? "not published" : `not published; was version ${version}`
  const talksWith = version === null ? "published" : `version ${version}`
  return unpublished_changes ? `${talksWith}, with unpublished changes` : talksWith
}

export const columns: ReadonlyArray<Column<Agent>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name },
  { title: "CHANNEL", value: ({ channel }) => channel },
  { title: "LANGUAGE", value: ({ language }) => language },
  { title: "PUBLISHED", value: standing },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) }
]

export const versionColumns: ReadonlyArray<Column<Version>> = [
  { title: "VERSION", value: ({ version }) => version },
  { title: "PUBLISHED", value: ({ published_at }) => moment(published_at) },
  { title: "NAME", value: ({ agent }) => agent.name },
  { title: "TOOLS", value: ({ agent }) => agent.tools.length }
]

type Draft = Version["agent"]

const talk = (agent: Draft): ReadonlyArray<readonly [string, string | number]> => [
  ["NAME", agent.name],
  ["CHANNEL", agent.channel],
  ["LANGUAGE", agent.language],
  ["VOICE", agent.voice],
  ["PROMPT", agent.prompt],
  ["FIRST MESSAGE", agent.first_message],
  ["MODEL", agent.model?.name ?? ""],
  ["TEMPERATURE", agent.model?.temperature ?? ""],
  ["TOOLS", agent.tools.map(({ name }) => name).join(", ")],
  [
    "TRANSFERS",
    agent.transfers.map(({ description, to_number }) => `${to_number} (${description})`).join(", ")
  ],
  ["VOICEMAIL", agent.voicemail.action],
  ["ITS MESSAGE", agent.voicemail.message],
  ["NUDGES", agent.nudge.map((text) => JSON.stringify(text)).join(", ")],
  ["INTERRUPTIBLE", agent.interruptible],
  ["BACKCHANNELS", agent.backchannels?.join(", ") ?? ""],
  ["HINTS", agent.transcription.hints ?? ""],
  ["QUESTIONS", agent.review.questions.map(({ name }) => name).join(", ")],
  ["QUALIFIED WHEN", agent.review.qualified_when],
  ["TIMEOUTS", `${agent.idle_timeout_warning} s, ${agent.idle_timeout_end} s, ${agent.max_call_length} s`]
]

const lines = (all: ReadonlyArray<readonly [string, string | number]>): string =>
  pairs(all.filter(([, value]) => value !== ""))

/** The fields of an agent, a line each; a field without a value is left out. */
export const described = (agent: Agent): string =>
  lines([
    ["ID", agent.id],
    ["PUBLISHED", standing(agent)],
    ...talk(agent),
    ["CREATED", moment(agent.created_at)],
    ["CHANGED", moment(agent.updated_at)]
  ])

export const versionDescribed = ({ agent, agent_id, published_at, version }: Version): string =>
  lines([["ID", agent_id], ["VERSION", version], ...talk(agent), ["PUBLISHED", moment(published_at)]])
