import { count } from "../data/Format.ts"
import { pageLength, paging, type Slice } from "../data/List.ts"
import { place, type Query, to } from "../router/Location.ts"

const address = (cursor: Query) => {
  const { path, query } = place.value
  return to(path, { ...Object.fromEntries(query), ...paging, ...cursor })
}

/** Which records of how many are shown, and the ways to the pages before and after; each page has its address. */
export const Pager = <A,>({ id, slice }: { readonly slice: Slice<A>; readonly id: (row: A) => string }) => {
  const { data, hasNewer, hasOlder, page, total } = slice
  const first = (page - 1) * pageLength + 1
  const newest = data[0]
  const oldest = data.at(-1)
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {data.length === 0 ? "0" : `${count(first)} to ${count(first + data.length - 1)}`} of {count(total)}
      </span>
      {hasNewer && (
        <a
          class="button"
          href={address(page <= 2 || newest === undefined ? {} : { before: id(newest), page: page - 1 })}
          rel="prev"
        >
          Newer
        </a>
      )}
      {hasOlder && oldest !== undefined && (
        <a class="button" href={address({ after: id(oldest), page: page + 1 })} rel="next">
          Older
        </a>
      )}
    </nav>
  )
}
