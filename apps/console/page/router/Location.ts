import { signal } from "@preact/signals"

/** Where the console stands on its server. */
const root = "/console"

export interface Place {
  /** Below the console, from a slash on. */
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): Place => ({
  path: location.pathname.slice(root.length).replace(/\/+$/, "") || "/",
  query: new URLSearchParams(location.search)
})

/** The address that is shown. */
export const place = signal<Place>(here())

export type Query = Readonly<Record<string, string | number | null | undefined>>

/** The address of a page, for links: what is null, undefined or empty is left out of its query. */
export const to = (path: string, query: Query = {}): string => {
  const present = Object.entries(query).flatMap(([name, value]) =>
    value === null || value === undefined || value === "" ? [] : [[name, String(value)]]
  )
  const text = new URLSearchParams(present).toString()
  return `${root}${path === "/" ? "" : path}${text === "" ? "" : `?${text}`}`
}

/** Shows another address; `replace` leaves no way back to this one. */
export const navigate = (address: string, options: { readonly replace?: boolean } = {}): void => {
  if (options.replace === true) history.replaceState(null, "", address)
  else history.pushState(null, "", address)
  place.value = here()
}

const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** The link that a click follows within the console; null for one that the browser follows by itself. */
const linkOf = (event: MouseEvent): string | null => {
  if (event.defaultPrevented || !isPlain(event) || !(event.target instanceof Element)) return null
  const link = event.target.closest("a")
  if (link === null || link.target !== "" || link.hasAttribute("download")) return null
  const isInside = link.pathname === root || link.pathname.startsWith(`${root}/`)
  const isFile = link.pathname.startsWith(`${root}/assets/`)
  return link.origin === location.origin && isInside && !isFile && link.hash === "" ? link.href : null
}

/** From now on links within the console, and the browser's way back, change what is shown without a load. */
export const begin = (): void => {
  addEventListener("popstate", () => {
    place.value = here()
  })
  document.addEventListener("click", (event) => {
    const address = linkOf(event)
    if (address === null) return
    event.preventDefault()
    navigate(address)
    scrollTo(0, 0)
  })
}
