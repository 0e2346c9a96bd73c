import { signal } from "@preact/signals"

const shownMillis = 6_000

const shown = signal<string | null>(null)
let timer: ReturnType<typeof setTimeout> | undefined

/** Tells that something was done, in a line that goes by itself. What is to be kept is shown on the page instead. */
export const notify = (text: string): void => {
  clearTimeout(timer)
  shown.value = text
  timer = setTimeout(() => {
    shown.value = null
  }, shownMillis)
}

/** Where such lines are shown, and read out by a screen reader. */
export const Notices = () => (
  <div class="notices" role="status">
    {shown.value !== null && <p class="notice">{shown.value}</p>}
  </div>
)
