import type { Pagination } from "outdial/client"
import { count } from "../data/Format.ts"
import { place, to } from "../router/Location.ts"

/** How many records a page of a list shows. */
export const pageLength = 50

/** How many records come before the page that the address names. */
export const offsetOf = (query: URLSearchParams): number => {
  const page = Number(query.get("page") ?? 1)
  return Number.isInteger(page) && page > 0 ? (page - 1) * pageLength : 0
}

const pageAddress = (page: number) => {
  const { path, query } = place.value
  return to(path, { ...Object.fromEntries(query), page: page === 1 ? null : page })
}

/** Which records of how many are shown, and the ways to the pages before and after; each page has its address. */
export const Pager = ({ pagination, shown }: { readonly pagination: Pagination; readonly shown: number }) => {
  const { offset, total } = pagination
  const page = Math.floor(offset / pageLength) + 1
  return (
    <nav class="pager" aria-label="Pages">
      <span>
        {shown === 0 ? "0" : `${count(offset + 1)} to ${count(offset + shown)}`} of {count(total)}
      </span>
      {page > 1 && (
        <a class="button" href={pageAddress(page - 1)} rel="prev">
          Newer
        </a>
      )}
      {offset + shown < total && (
        <a class="button" href={pageAddress(page + 1)} rel="next">
          Older
        </a>
      )}
    </nav>
  )
}
