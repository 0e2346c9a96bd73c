import { useSignal } from "@preact/signals"
import { CapField, CheckField, ChoiceField, NumberField, TimeField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { useAction } from "../data/Action.ts"
import { zone } from "../data/Format.ts"
import { navigate } from "../router/Location.ts"
import { paceHints } from "./Pace.tsx"
import type { StepProps } from "./Setup.tsx"
import { afterPace, stepAddress } from "./Steps.tsx"
import { configOf, usualHours } from "./Window.ts"

const zones = (also: string): ReadonlyArray<readonly [string, string]> =>
  [...new Set([zone, also, ...Intl.supportedValuesOf("timeZone")])].map((name) => [name, name])

const retryDelay = 15

export const StepPace = ({ campaign, onChanged }: StepProps) => {
  const config = configOf(campaign)
  const retries = config.call_retry_config
  const form = useSignal({
    max_concurrency: campaign.max_concurrency,
    calls_per_minute: campaign.calls_per_minute,
    hasHours: config.call_time !== undefined,
    call_start_time: config.call_time?.call_start_time ?? usualHours.call_start_time,
    call_end_time: config.call_time?.call_end_time ?? usualHours.call_end_time,
    timezone: config.call_time?.timezone ?? zone,
    retry_count: retries?.retry_count ?? 0,
    retry_busy: retries?.retry_busy ?? retryDelay,
    retry_not_picked: retries?.retry_not_picked ?? retryDelay,
    retry_failed: retries?.retry_failed ?? retryDelay
  })
  const set = (part: Partial<typeof form.value>) => (form.value = { ...form.value, ...part })
  const saving = useAction(async (api) => {
    const { call_end_time, call_start_time, hasHours, timezone, ...rest } = form.value
    const { calls_per_minute, max_concurrency, ...call_retry_config } = rest
    const { call_time: _, ...others } = config
    onChanged(
      await api.campaigns.update(campaign.id, {
        max_concurrency,
        calls_per_minute,
        call_config: {
          ...others,
          call_retry_config,
          ...(hasHours && { call_time: { call_start_time, call_end_time, timezone } })
        }
      })
    )
    navigate(stepAddress(campaign.id, afterPace(campaign)))
  })
  const { value } = form
  const isLocal = campaign.recipient_timezone !== null
  return (
    <Form
      action={saving}
      submit={campaign.channel === "voice" ? "Save and simulate" : "Save and go on"}
      busy="Saving…"
      failure="It was not saved."
    >
      <fieldset>
        <legend>When it may call</legend>
        {campaign.skip_public_holidays ? (
          <p class="hint">It skips public holidays of the recipient's country, and so has hours.</p>
        ) : (
          <CheckField
            label="Only at certain hours of the day"
            value={value.hasHours}
            onChange={(hasHours) => set({ hasHours })}
          />
        )}
        {value.hasHours && (
          <>
            <div class="pair">
              <TimeField
                label="From"
                value={value.call_start_time}
                onChange={(call_start_time) => set({ call_start_time })}
              />
              <TimeField
                label="Until"
                value={value.call_end_time}
                onChange={(call_end_time) => set({ call_end_time })}
              />
            </div>
            <ChoiceField
              label={isLocal ? "Time zone where the number tells none" : "Hours of this time zone"}
              hint={
                isLocal
                  ? "The hours hold in the local time of each recipient, by its number."
                  : "For a recipient with a time zone of its own, the hours hold in that zone."
              }
              options={zones(value.timezone)}
              value={value.timezone}
              onChange={(timezone) => set({ timezone })}
            />
          </>
        )}
      </fieldset>
      <fieldset>
        <legend>How fast it calls</legend>
        <div class="pair">
          <CapField
            label="Calls at one time"
            most={100_000}
            hint={paceHints.max_concurrency}
            value={value.max_concurrency}
            onChange={(max_concurrency) => set({ max_concurrency })}
          />
          <CapField
            label="Calls a minute"
            most={60_000}
            hint={paceHints.calls_per_minute}
            value={value.calls_per_minute}
            onChange={(calls_per_minute) => set({ calls_per_minute })}
          />
        </div>
      </fieldset>
      <fieldset>
        <legend>Who is not reached</legend>
        <NumberField
          label="Further tries"
          min={0}
          max={9}
          hint="After the first; 0: none."
          value={value.retry_count}
          onChange={(retry_count) => set({ retry_count })}
        />
        {value.retry_count > 0 && (
          <div class="pair">
            <NumberField
              label="Minutes after a busy line"
              min={0}
              max={43_200}
              value={value.retry_busy}
              onChange={(retry_busy) => set({ retry_busy })}
            />
            <NumberField
              label="Minutes after no answer"
              min={0}
              max={43_200}
              value={value.retry_not_picked}
              onChange={(retry_not_picked) => set({ retry_not_picked })}
            />
            <NumberField
              label="Minutes after a failure"
              min={0}
              max={43_200}
              value={value.retry_failed}
              onChange={(retry_failed) => set({ retry_failed })}
            />
          </div>
        )}
      </fieldset>
    </Form>
  )
}
