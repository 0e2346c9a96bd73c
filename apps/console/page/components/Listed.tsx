import { OutdialError } from "outdial/client"
import type { ComponentChildren } from "preact"
import { paging, type Slice } from "../data/List.ts"
import type { Resource } from "../data/Resource.ts"
import { place, to } from "../router/Location.ts"
import { Pager } from "./Pager.tsx"
import { Empty, Shown } from "./States.tsx"
import { type Column, Table } from "./Table.tsx"

/** The record that the address names as the page's place is gone. */
const isPlaceGone = (error: unknown): boolean =>
  error instanceof OutdialError &&
  ["after", "before"].includes((error.details as { readonly field?: string } | null)?.field ?? "")

const ToNewest = () => {
  const { path, query } = place.value
  return (
    <a class="button" href={to(path, { ...Object.fromEntries(query), ...paging })}>
      To the newest
    </a>
  )
}

/** A page of a list, in whatever state it is: read, empty, without records that pass the filters, or not to be read. */
export const Listed = <A,>(props: {
  readonly resource: Resource<Slice<A>>
  /** What is listed, in the plural: `calls`. */
  readonly what: string
  readonly caption: string
  readonly columns: ReadonlyArray<Column<A>>
  readonly id: (row: A) => string
  readonly href?: (row: A) => string
  /** Shown where there are none at all. */
  readonly empty: ComponentChildren
}) => {
  const { caption, columns, empty, href, id, resource, what } = props
  const { query } = place.value
  if (isPlaceGone(resource.error)) {
    return <Empty title="The record that this page begins at is gone" action={<ToNewest />} />
  }
  const isFiltered = [...query.keys()].some((name) => !(name in paging))
  return (
    <Shown resource={resource} what={what}>
      {(slice) =>
        slice.data.length > 0 ? (
          <>
            <Table caption={caption} columns={columns} rows={slice.data} id={id} {...(href && { href })} />
            <Pager slice={slice} id={id} />
          </>
        ) : slice.total > 0 ? (
          <Empty title={`There are no more ${what} here`} action={<ToNewest />} />
        ) : isFiltered ? (
          <Empty title={`No ${what} pass these filters`} />
        ) : (
          empty
        )
      }
    </Shown>
  )
}
