import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { place } from "../router/Location.ts"

const shownMillis = 6_000

/** A line that has been shown for so long has been read when another page is shown. */
const readMillis = 1_000

const shown = signal<string | null>(null)
let shownAt = 0
let timer: ReturnType<typeof setTimeout> | undefined

/** Tells that something was done, in a line that goes by itself. What is to be kept is shown on the page instead. */
export const notify = (text: string): void => {
  clearTimeout(timer)
  shown.value = text
  shownAt = Date.now()
  timer = setTimeout(() => {
    shown.value = null
  }, shownMillis)
}

/** Where such lines are shown, and read out by a screen reader. */
export const Notices = () => {
  const { path } = place.value
  useEffect(() => {
    if (Date.now() - shownAt > readMillis) shown.value = null
  }, [path])
  return (
    <div class="notices" role="status">
      {shown.value !== null && <p class="notice">{shown.value}</p>}
    </div>
  )
}
