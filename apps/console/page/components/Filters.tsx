import type { ComponentChildren } from "preact"
import { useLayoutEffect, useState } from "preact/hooks"
import { paging } from "../data/List.ts"
import { navigate, place, to } from "../router/Location.ts"
import { Field, Input, type Tied } from "./Fields.tsx"

export type Filter =
  | {
      readonly name: string
      readonly label: string
      readonly options: ReadonlyArray<readonly [value: string, label: string]>
      /** What is shown while none of them is chosen. */
      readonly none?: string
    }
  | { readonly name: string; readonly label: string; readonly type: "date" }
  | {
      readonly name: string
      readonly label: string
      readonly hint: string
      /** What is to be known of it, below the filters. */
      readonly about?: ComponentChildren
    }

/** What is typed stays there while the list behind it is read again; once it is entered, it becomes the value. */
const Search = (props: {
  readonly tied: Tied
  readonly about: string | undefined
  readonly placeholder: string
  readonly value: string
  readonly onChange: (value: string) => void
}) => {
  const [typed, setTyped] = useState(props.value)
  useLayoutEffect(() => setTyped(props.value), [props.value])
  return (
    <Input
      id={props.tied.id}
      aria-describedby={props.about}
      type="search"
      placeholder={props.placeholder}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  )
}

/** Filters of a list: each is a parameter of the address, so that what is seen can be shared and reloaded. */
export const Filters = ({ filters }: { readonly filters: ReadonlyArray<Filter> }) => {
  const { path, query } = place.value
  const set = (name: string, value: string) =>
    navigate(to(path, { ...Object.fromEntries(query), ...paging, [name]: value.trim() }), { replace: true })
  const isSet = filters.some(({ name }) => query.has(name))
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {filters.map((filter) => (
        <Field key={filter.name} label={filter.label}>
          {(tied) =>
            "options" in filter ? (
              <select
                {...tied}
                value={query.get(filter.name) ?? ""}
                onChange={(event) => set(filter.name, event.currentTarget.value)}
              >
                <option value="">{filter.none ?? "Any"}</option>
                {filter.options.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            ) : "type" in filter ? (
              <Input
                {...tied}
                type={filter.type}
                value={query.get(filter.name) ?? ""}
                onChange={(event) => set(filter.name, event.currentTarget.value)}
              />
            ) : (
              <Search
                tied={tied}
                about={filter.about === undefined ? undefined : `about-${filter.name}`}
                placeholder={filter.hint}
                value={query.get(filter.name) ?? ""}
                onChange={(value) => set(filter.name, value)}
              />
            )
          }
        </Field>
      ))}
      {isSet && (
        <button type="button" class="button plain" onClick={() => navigate(to(path))}>
          Clear
        </button>
      )}
      {filters.map(
        (filter) =>
          "about" in filter && (
            <p key={filter.name} id={`about-${filter.name}`} class="hint">
              {filter.about}
            </p>
          )
      )}
    </form>
  )
}
