import type { Agent } from "outdial/client"
import { NumberField, TextField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"

/** The text as it was typed; null for none. */
const orNull = (text: string): string | null => (text === "" ? null : text)

/** What answers, listens and speaks for an agent; where nothing is said, the deployment's own. */
export const ModelFields = (props: {
  readonly draft: Pick<Agent, "model" | "transcription" | "speech">
  readonly onChange: (part: Partial<Pick<Agent, "model" | "transcription" | "speech">>) => void
}) => {
  const { onChange } = props
  const { model, speech, transcription } = props.draft
  const changeModel = (part: Partial<NonNullable<Agent["model"]>>) => {
    const { name, temperature } = { name: null, temperature: null, ...model, ...part }
    onChange({ model: name === null && temperature === null ? null : { name, temperature } })
  }
  return (
    <Fold title="Model, transcription and speech">
      <p class="hint">Where a field is empty, the deployment's own setting holds.</p>
      <div class="pair">
        <TextField
          label="Language model"
          value={model?.name ?? ""}
          onChange={(name) => changeModel({ name: orNull(name) })}
        />
        <NumberField
          label="Temperature"
          min={0}
          max={2}
          step={0.1}
          optional
          value={model?.temperature ?? Number.NaN}
          onChange={(value) => changeModel({ temperature: Number.isNaN(value) ? null : value })}
        />
        <TextField
          label="Transcription provider"
          value={transcription.provider ?? ""}
          onChange={(provider) =>
            onChange({ transcription: { ...transcription, provider: orNull(provider) } })
          }
        />
        <TextField
          label="Transcription model"
          value={transcription.model ?? ""}
          onChange={(name) => onChange({ transcription: { ...transcription, model: orNull(name) } })}
        />
        <TextField
          label="Speech provider"
          value={speech.provider ?? ""}
          onChange={(provider) => onChange({ speech: { provider: orNull(provider) } })}
        />
      </div>
      <TextField
        label="Words that the transcription is to expect"
        hint="Names and terms, with commas between them."
        value={transcription.hints ?? ""}
        onChange={(hints) => onChange({ transcription: { ...transcription, hints: orNull(hints) } })}
      />
    </Fold>
  )
}
