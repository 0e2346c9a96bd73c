import type { ComponentChildren, InputHTMLAttributes, LooseInputHTMLAttributes } from "preact"
import { useId } from "preact/hooks"

interface Labelled {
  readonly label: string
  readonly hint?: ComponentChildren
}

interface Edited<A> extends Labelled {
  readonly value: A
  readonly onChange: (value: A) => void
}

/** How what is filled in is tied to its label and its hint. */
export interface Tied {
  readonly id: string
  readonly "aria-describedby": string | undefined
}

/** What is filled in, under its label and above its hint. */
export const Field = (props: Labelled & { readonly children: (tied: Tied) => ComponentChildren }) => {
  const id = useId()
  const hasHint = props.hint !== undefined
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children({ id, "aria-describedby": hasHint ? `${id}-hint` : undefined })}
      {hasHint && (
        <p id={`${id}-hint`} class="hint">
          {props.hint}
        </p>
      )}
    </div>
  )
}

/** Of any type: Preact's own types tie each type to the roles that it may have. */
export const Input = (props: LooseInputHTMLAttributes) => <input {...(props as InputHTMLAttributes)} />

type Attributes = Pick<
  LooseInputHTMLAttributes,
  "maxLength" | "pattern" | "placeholder" | "required" | "title" | "type"
>

export const TextField = ({ hint, label, onChange, value, ...attributes }: Edited<string> & Attributes) => (
  <Field label={label} hint={hint}>
    {(tied) => (
      <Input
        autocomplete="off"
        {...attributes}
        {...tied}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    )}
  </Field>
)

/** A time of the day: `09:00`. */
export const TimeField = (props: Edited<string>) => <TextField {...props} type="time" required />

/** A moment in the browser's zone, as `2026-11-22T10:08`; empty while there is none. */
export const MomentField = (props: Edited<string> & Pick<Attributes, "required">) => (
  <TextField {...props} type="datetime-local" />
)

export const LongTextField = (
  props: Edited<string> & { readonly rows: number; readonly required?: boolean; readonly isCode?: boolean }
) => (
  <Field {...props}>
    {(tied) => (
      <textarea
        {...tied}
        class={props.isCode === true ? "code" : undefined}
        rows={props.rows}
        value={props.value}
        required={props.required}
        spellcheck={props.isCode !== true}
        onInput={(event) => props.onChange(event.currentTarget.value)}
      />
    )}
  </Field>
)

export const FileField = (
  props: Labelled & { readonly accept: string; readonly onChange: (file: File | null) => void }
) => (
  <Field {...props}>
    {(tied) => (
      <input
        {...tied}
        type="file"
        accept={props.accept}
        onChange={(event) => props.onChange(event.currentTarget.files?.[0] ?? null)}
      />
    )}
  </Field>
)

/** A number; `NaN` while there is none. */
export const NumberField = (
  props: Edited<number> & {
    readonly min: number
    readonly max: number
    readonly step?: number
    readonly optional?: boolean
  }
) => (
  <Field {...props}>
    {(tied) => (
      <input
        {...tied}
        type="number"
        min={props.min}
        max={props.max}
        step={props.step}
        required={props.optional !== true}
        value={Number.isNaN(props.value) ? "" : props.value}
        onInput={(event) => props.onChange(event.currentTarget.valueAsNumber)}
      />
    )}
  </Field>
)

/** A whole number from 1 on; empty is null. */
export const CapField = ({
  most,
  onChange,
  value,
  ...labelled
}: Edited<number | null> & { readonly most: number }) => (
  <NumberField
    {...labelled}
    min={1}
    max={most}
    optional
    value={value ?? Number.NaN}
    onChange={(typed) => onChange(Number.isNaN(typed) ? null : typed)}
  />
)

export const ChoiceField = <A extends string>(
  props: Edited<A> & { readonly options: ReadonlyArray<readonly [value: A, label: string]> }
) => (
  <Field {...props}>
    {(tied) => (
      <select
        {...tied}
        value={props.value}
        onChange={(event) => props.onChange(event.currentTarget.value as A)}
      >
        {props.options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    )}
  </Field>
)

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
      {props.hint !== undefined && (
        <p id={`${id}-hint`} class="hint">
          {props.hint}
        </p>
      )}
    </fieldset>
  )
}
