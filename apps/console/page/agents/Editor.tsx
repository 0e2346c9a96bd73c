import { CheckField, ChoiceField, LongTextField, NumberField, TextField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"
import { type Draft, placeholdersOf } from "./Draft.ts"
import { ModelFields } from "./ModelFields.tsx"
import { ReviewFields } from "./ReviewFields.tsx"
import { ToolFields } from "./ToolFields.tsx"
import { TransferFields } from "./TransferFields.tsx"

const voicemails = [
  ["hang_up", "Hang up"],
  ["leave_message", "Leave a message"],
  ["continue", "Talk on"]
] as const

const interruptions = [
  ["any", "Speech and keys"],
  ["speech", "Speech alone"],
  ["none", "Nothing"]
] as const

/** The fields of an agent's draft. */
export const Editor = (props: {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}) => {
  const { draft, onChange } = props
  const names = placeholdersOf(draft.prompt, draft.first_message, draft.voicemail.message ?? "")
  return (
    <div class="stack">
      <TextField label="Name" required value={draft.name} onChange={(name) => onChange({ name })} />
      <LongTextField
        label="Prompt"
        required
        rows={10}
        value={draft.prompt}
        onChange={(prompt) => onChange({ prompt })}
      />
      <p class="hint">
        {names.length === 0 ? (
          "It has no placeholders: {{name}} would be one."
        ) : (
          <>
            Placeholders, which each call fills:{" "}
            {names.map((name) => (
              <code key={name} class="name">
                {name}
              </code>
            ))}
          </>
        )}
      </p>
      <LongTextField
        label="First message"
        rows={2}
        value={draft.first_message}
        onChange={(first_message) => onChange({ first_message })}
      />
      <div class="pair">
        <TextField label="Voice" value={draft.voice} onChange={(voice) => onChange({ voice })} />
        <TextField label="Language" value={draft.language} onChange={(language) => onChange({ language })} />
      </div>
      <Fold title="Silence, length and interruptions">
        <div class="pair">
          <NumberField
            label="Seconds of silence before a nudge"
            min={1}
            max={3_600}
            value={draft.idle_timeout_warning}
            onChange={(idle_timeout_warning) => onChange({ idle_timeout_warning })}
          />
          <NumberField
            label="Seconds of silence before the end"
            min={1}
            max={3_600}
            value={draft.idle_timeout_end}
            onChange={(idle_timeout_end) => onChange({ idle_timeout_end })}
          />
          <NumberField
            label="Seconds a call may last"
            min={1}
            max={3_600}
            value={draft.max_call_length}
            onChange={(max_call_length) => onChange({ max_call_length })}
          />
          <ChoiceField
            label="What interrupts the agent"
            options={interruptions}
            value={draft.interruptible}
            onChange={(interruptible) => onChange({ interruptible })}
          />
        </div>
        <LongTextField
          label="Nudges, one a line"
          rows={3}
          hint="Empty: lines in the agent's language."
          value={draft.nudge.join("\n")}
          onChange={(text) => onChange({ nudge: text === "" ? [] : text.split("\n") })}
        />
        <CheckField
          label="Words such as “yes” or “hm”, said alone, do not interrupt: those of the agent's language"
          value={draft.backchannels === null}
          onChange={(own) => onChange({ backchannels: own ? null : [] })}
        />
        {draft.backchannels !== null && (
          <LongTextField
            label="Words that do not interrupt, one a line"
            rows={3}
            hint="Empty: every word interrupts."
            value={draft.backchannels.join("\n")}
            onChange={(text) => onChange({ backchannels: text === "" ? [] : text.split("\n") })}
          />
        )}
      </Fold>
      <Fold title="Voicemail">
        <ChoiceField
          label="At a voicemail"
          options={voicemails}
          value={draft.voicemail.action}
          onChange={(action) => onChange({ voicemail: { ...draft.voicemail, action } })}
        />
        {draft.voicemail.action === "leave_message" && (
          <LongTextField
            label="Message to leave"
            required
            rows={3}
            value={draft.voicemail.message ?? ""}
            onChange={(message) => onChange({ voicemail: { ...draft.voicemail, message } })}
          />
        )}
      </Fold>
      <ModelFields draft={draft} onChange={onChange} />
      <ToolFields tools={draft.tools} onChange={(tools) => onChange({ tools })} />
      <TransferFields transfers={draft.transfers} onChange={(transfers) => onChange({ transfers })} />
      <ReviewFields review={draft.review} onChange={(review) => onChange({ review })} />
    </div>
  )
}
