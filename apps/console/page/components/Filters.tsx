import { paging } from "../data/List.ts"
import { navigate, place, to } from "../router/Location.ts"

export type Filter =
  | {
      readonly name: string
      readonly label: string
      readonly options: ReadonlyArray<readonly [value: string, label: string]>
      /** What is shown while none of them is chosen. */
      readonly none?: string
    }
  | { readonly name: string; readonly label: string; readonly type: "date" }
  | { readonly name: string; readonly label: string; readonly hint: string }

/** Filters of a list: each is a parameter of the address, so that what is seen can be shared and reloaded. */
export const Filters = ({ filters }: { readonly filters: ReadonlyArray<Filter> }) => {
  const { path, query } = place.value
  const set = (name: string, value: string) =>
    navigate(to(path, { ...Object.fromEntries(query), ...paging, [name]: value.trim() }), { replace: true })
  const isSet = filters.some(({ name }) => query.has(name))
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      {filters.map((filter) => (
        <div key={filter.name} class="field">
          <label for={`filter-${filter.name}`}>{filter.label}</label>
          {"options" in filter ? (
            <select
              id={`filter-${filter.name}`}
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
            <input
              id={`filter-${filter.name}`}
              type="date"
              value={query.get(filter.name) ?? ""}
              onChange={(event) => set(filter.name, event.currentTarget.value)}
            />
          ) : (
            <input
              id={`filter-${filter.name}`}
              type="search"
              placeholder={filter.hint}
              value={query.get(filter.name) ?? ""}
              onChange={(event) => set(filter.name, event.currentTarget.value)}
            />
          )}
        </div>
      ))}
      {isSet && (
        <button type="button" class="button plain" onClick={() => navigate(to(path))}>
          Clear
        </button>
      )}
    </form>
  )
}
