import { useId } from "preact/hooks"

interface Labelled {
  readonly label: string
  readonly hint?: string
}

interface Edited<A> extends Labelled {
  readonly value: A
  readonly onChange: (value: A) => void
}

const Hint = ({ hint, id }: { readonly id: string; readonly hint: string | undefined }) =>
  hint === undefined ? null : (
    <p id={id} class="hint">
      {hint}
    </p>
  )

export const TextField = (props: Edited<string> & { readonly required?: boolean }) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        value={props.value}
        required={props.required}
        autocomplete="off"
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <Hint id={`${id}-hint`} hint={props.hint} />
    </div>
  )
}

export const LongTextField = (
  props: Edited<string> & { readonly rows: number; readonly required?: boolean; readonly isCode?: boolean }
) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <textarea
        id={id}
        class={props.isCode === true ? "code" : undefined}
        rows={props.rows}
        value={props.value}
        required={props.required}
        spellcheck={props.isCode !== true}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <Hint id={`${id}-hint`} hint={props.hint} />
    </div>
  )
}

export const FileField = (
  props: Labelled & { readonly accept: string; readonly onChange: (file: File | null) => void }
) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="file"
        accept={props.accept}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => props.onChange(event.currentTarget.files?.[0] ?? null)}
      />
      <Hint id={`${id}-hint`} hint={props.hint} />
    </div>
  )
}

/** A number; `NaN` while there is none. */
export const NumberField = (
  props: Edited<number> & {
    readonly min: number
    readonly max: number
    readonly step?: number
    readonly optional?: boolean
  }
) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="number"
        min={props.min}
        max={props.max}
        step={props.step}
        required={props.optional !== true}
        value={Number.isNaN(props.value) ? "" : props.value}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => props.onChange(event.currentTarget.valueAsNumber)}
      />
      <Hint id={`${id}-hint`} hint={props.hint} />
    </div>
  )
}

/** A whole number from 1 on; empty is null. */
export const CapField = (props: Edited<number | null> & { readonly most: number }) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="number"
        min={1}
        max={props.most}
        value={props.value ?? ""}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onInput={({ currentTarget: { valueAsNumber } }) =>
          props.onChange(Number.isNaN(valueAsNumber) ? null : valueAsNumber)
        }
      />
      <Hint id={`${id}-hint`} hint={props.hint} />
    </div>
  )
}

/** A time of the day: `09:00`. */
export const TimeField = (props: Edited<string>) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="time"
        required
        value={props.value}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <Hint id={`${id}-hint`} hint={props.hint} />
    </div>
  )
}

export const ChoiceField = <A extends string>(
  props: Edited<A> & { readonly options: ReadonlyArray<readonly [value: A, label: string]> }
) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <select
        id={id}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as A)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <Hint id={`${id}-hint`} hint={props.hint} />
    </div>
  )
}

export const CheckField = (props: Edited<boolean>) => {
  const id = useId()
  return (
    <div class="check">
      <input
        id={id}
        type="checkbox"
        checked={props.value}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      <label for={id}>{props.label}</label>
    </div>
  )
}

/** A moment in the browser's zone, as `2026-11-22T10:08`; empty while there is none. */
export const MomentField = (props: Edited<string> & { readonly required?: boolean }) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <input
        id={id}
        type="datetime-local"
        value={props.value}
        required={props.required}
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
      <Hint id={`${id}-hint`} hint={props.hint} />
    </div>
  )
}

/** Any of several, which are shown side by side where there is room. */
export const ChecksField = <A extends string>(
  props: Edited<ReadonlyArray<A>> & { readonly options: ReadonlyArray<readonly [value: A, label: string]> }
) => {
  const id = useId()
  const toggle = (value: A, on: boolean) =>
    props.onChange(
      props.options.map(([each]) => each).filter((each) => (each === value ? on : props.value.includes(each)))
    )
  return (
    <fieldset aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}>
      <legend>{props.label}</legend>
      <div class="checks">
        {props.options.map(([value, label]) => (
          <CheckField
            key={value}
            label={label}
            value={props.value.includes(value)}
            onChange={(on) => toggle(value, on)}
          />
        ))}
      </div>
      <Hint id={`${id}-hint`} hint={props.hint} />
    </fieldset>
  )
}
