import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { fullTime, shortTime, words } from "../data/Format.ts"

/** A moment in the browser's zone; in full, with the zone, when pointed at. */
export const Time = ({ at, full = false }: { readonly at: string | null; readonly full?: boolean }) =>
  at === null ? (
    <span class="none">–</span>
  ) : (
    <time dateTime={at} title={fullTime(at)}>
      {full ? fullTime(at) : shortTime(at)}
    </time>
  )

export type Tone = "quiet" | "busy" | "good" | "warn" | "bad"

/** A state in a word, with a colour that says no more than the word does. */
export const Badge = ({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

const tones: Readonly<Record<string, Tone>> = {
  queued: "quiet",
  draft: "quiet",
  scheduled: "quiet",
  pending: "quiet",
  waiting: "quiet",
  ringing: "busy",
  in_progress: "busy",
  running: "busy",
  processing: "busy",
  open: "busy",
  retry_scheduled: "warn",
  paused: "warn",
  no_answer: "warn",
  busy: "warn",
  voicemail: "warn",
  unknown: "warn",
  completed: "good",
  answered: "good",
  delivered: "good",
  sent: "good",
  qualified: "good",
  positive: "good",
  dead: "bad",
  approved: "good",
  pass: "good",
  maybe: "warn",
  fail: "bad",
  error: "bad",
  disabled: "bad",
  failed: "bad",
  rejected: "bad",
  negative: "bad"
}

/** A status, outcome or verdict of the interface. */
export const Status = ({ value }: { readonly value: string | null }) =>
  value === null ? <span class="none">–</span> : <Badge tone={tones[value] ?? "quiet"}>{words(value)}</Badge>

export type Fact = readonly [label: string, value: ComponentChildren]

/** What is known of a record, as labels and values; a fact without a value is left out. */
export const Facts = ({ facts }: { readonly facts: ReadonlyArray<Fact> }) => (
  <dl class="facts">
    {facts
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)

/** A record as the interface has it. */
export const Raw = ({ title, value }: { readonly title: string; readonly value: unknown }) => {
  const [open, setOpen] = useState(false)
  return (
    <details class="raw" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {open && <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>}
    </details>
  )
}
