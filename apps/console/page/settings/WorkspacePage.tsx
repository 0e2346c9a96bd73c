import { useSignal } from "@preact/signals"
import type { Workspace } from "outdial/client"
import { CheckField, LongTextField, NumberField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { notify } from "../components/Notice.tsx"
import { Shown } from "../components/States.tsx"
import { Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useResource } from "../data/Resource.ts"
import { SettingsPage } from "./SettingsPage.tsx"
import { ToolSecret } from "./ToolSecret.tsx"

/** The parts of a text that blanks, commas and lines keep apart. */
const codesOf = (text: string): ReadonlyArray<string> =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== "")

const linesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

const mostDays = 36_500

const daysOf = (value: number): number | null => (Number.isNaN(value) ? null : value)

const regions = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" })

/** The names of countries, so that a code that is none is seen before it is sent. */
const namesOf = (codes: ReadonlyArray<string>): string =>
  codes
    .map((code) => (/^[A-Z]{2}$/.test(code) ? regions.of(code) : undefined) ?? `${code} is no country`)
    .join(", ")

const Fields = ({ workspace }: { readonly workspace: Workspace }) => {
  const name = useSignal(workspace.name)
  const max_concurrency = useSignal(workspace.max_concurrency)
  const calls_per_second = useSignal(workspace.calls_per_second)
  const countries = useSignal(workspace.allowed_countries.join(", "))
  const allow_costly_destinations = useSignal(workspace.allow_costly_destinations)
  const keys = useSignal(workspace.indexed_metadata_keys.join("\n"))
  const recordings = useSignal(workspace.recording_retention_days ?? Number.NaN)
  const transcripts = useSignal(workspace.transcript_retention_days ?? Number.NaN)
  const calls = useSignal(workspace.call_retention_days ?? Number.NaN)
  const saving = useAction(async (api) => {
    await api.workspace.update({
      name: name.value,
      max_concurrency: max_concurrency.value,
      calls_per_second: calls_per_second.value,
      allowed_countries: codesOf(countries.value),
      allow_costly_destinations: allow_costly_destinations.value,
      indexed_metadata_keys: linesOf(keys.value),
      recording_retention_days: daysOf(recordings.value),
      transcript_retention_days: daysOf(transcripts.value),
      call_retention_days: daysOf(calls.value)
    })
    notify("The settings are saved.")
  })
  const codes = codesOf(countries.value)
  return (
    <Form
      action={saving}
      submit="Save the settings"
      failure="It was not saved."
      below={
        <p class="hint">
          Workspace <code>{workspace.id}</code>, made <Time at={workspace.created_at} full />
        </p>
      }
    >
      <TextField label="Name" required value={name.value} onChange={(value) => (name.value = value)} />
      <div class="pair">
        <NumberField
          label="Most calls at one time"
          min={1}
          max={100_000}
          value={max_concurrency.value}
          onChange={(value) => (max_concurrency.value = value)}
        />
        <NumberField
          label="Most dials in a second"
          min={1}
          max={100_000}
          value={calls_per_second.value}
          onChange={(value) => (calls_per_second.value = value)}
        />
      </div>
      <TextField
        label="Countries that may be called"
        hint={
          codes.length === 0 ? "Codes of two letters, such as US, CA. None: all countries." : namesOf(codes)
        }
        value={countries.value}
        onChange={(value) => (countries.value = value)}
      />
      <CheckField
        label="Premium-rate and satellite numbers may be called"
        value={allow_costly_destinations.value}
        onChange={(value) => (allow_costly_destinations.value = value)}
      />
      <LongTextField
        label="Metadata keys that calls are found by, one a line"
        rows={3}
        hint="At most 10. Calls that are placed from then on are found by them in the list of calls."
        value={keys.value}
        onChange={(value) => (keys.value = value)}
      />
      <fieldset>
        <legend>Days after which what is kept is deleted</legend>
        <div class="pair">
          <NumberField
            label="Recordings"
            min={1}
            max={mostDays}
            optional
            value={recordings.value}
            onChange={(value) => (recordings.value = value)}
          />
          <NumberField
            label="Transcripts"
            min={1}
            max={mostDays}
            optional
            value={transcripts.value}
            onChange={(value) => (transcripts.value = value)}
          />
          <NumberField
            label="Personal data of calls"
            min={1}
            max={mostDays}
            optional
            value={calls.value}
            onChange={(value) => (calls.value = value)}
          />
        </div>
        <p class="hint">
          Empty: recordings and transcripts as long as the deployment keeps them, personal data for good.
          Deleted is deleted: nothing brings it back.
        </p>
      </fieldset>
    </Form>
  )
}

export const WorkspacePage = () => {
  const workspace = useResource((api, options) => api.workspace.get(options))
  return (
    <SettingsPage title="Workspace">
      <Shown resource={workspace} what="the workspace">
        {(workspace) => <Fields workspace={workspace} />}
      </Shown>
      <ToolSecret />
    </SettingsPage>
  )
}
