import { useSignal } from "@preact/signals"
import type { Workspace } from "outdial/client"
import { CheckField, LongTextField, NumberField, TextField } from "../components/Fields.tsx"
import { notify } from "../components/Notice.tsx"
import { Failure, Shown } from "../components/States.tsx"
import { Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useResource } from "../data/Resource.ts"
import { SettingsPage } from "./SettingsPage.tsx"

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

const regions = new Intl.DisplayNames(undefined, { type: "region", fallback: "none" })

/** The names of countries, so that a code that is none is seen before it is sent. */
const namesOf = (codes: ReadonlyArray<string>): string =>
  codes
    .map((code) => (/^[A-Z]{2}$/.test(code) ? regions.of(code) : undefined) ?? `${code} is no country`)
    .join(", ")

const Form = ({ workspace }: { readonly workspace: Workspace }) => {
  const name = useSignal(workspace.name)
  const max_concurrency = useSignal(workspace.max_concurrency)
  const calls_per_second = useSignal(workspace.calls_per_second)
  const countries = useSignal(workspace.allowed_countries.join(", "))
  const allow_costly_destinations = useSignal(workspace.allow_costly_destinations)
  const keys = useSignal(workspace.indexed_metadata_keys.join("\n"))
  const saving = useAction(async (api) => {
    await api.workspace.update({
      name: name.value,
      max_concurrency: max_concurrency.value,
      calls_per_second: calls_per_second.value,
      allowed_countries: codesOf(countries.value),
      allow_costly_destinations: allow_costly_destinations.value,
      indexed_metadata_keys: linesOf(keys.value)
    })
    notify("The settings are saved.")
  })
  const codes = codesOf(countries.value)
  return (
    <form
      class="card stack form"
      onSubmit={(event) => {
        event.preventDefault()
        void saving.run()
      }}
    >
      <TextField label="Name" required value={name.value} onChange={(value) => (name.value = value)} />
      <div class="pair">
        <NumberField
          label="Calls under way at one time, at most"
          min={1}
          max={100_000}
          value={max_concurrency.value}
          onChange={(value) => (max_concurrency.value = value)}
        />
        <NumberField
          label="Dials in one second, at most"
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
      {saving.error !== null && <Failure error={saving.error} what="It was not saved." />}
      <div class="actions">
        <button class="button primary" type="submit" disabled={saving.busy}>
          Save the settings
        </button>
      </div>
      <p class="hint">
        Workspace <code>{workspace.id}</code>, made <Time at={workspace.created_at} full />
      </p>
    </form>
  )
}

export const WorkspacePage = () => {
  const workspace = useResource((api, options) => api.workspace.get(options))
  return (
    <SettingsPage title="Workspace">
      <Shown resource={workspace} what="the workspace">
        {(workspace) => <Form workspace={workspace} />}
      </Shown>
    </SettingsPage>
  )
}
