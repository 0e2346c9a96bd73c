import { effect, signal } from "@preact/signals"
import type { Call, Campaign, Delivery, TestRunSummary } from "outdial/client"
import { useEffect, useRef } from "preact/hooks"
import { api, expireAt, signedIn } from "../session/Session.ts"

/** What the server tells of the workspace; `ready` when it begins to. */
export type LiveEvent =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly record: Call }
  | { readonly type: "campaign"; readonly record: Campaign }
  | { readonly type: "run"; readonly record: TestRunSummary }
  | { readonly type: "delivery"; readonly record: Delivery }

type Listener = (event: LiveEvent) => void

const listeners = new Set<Listener>()

/** False while the server tells nothing although pages listen. */
export const connected = signal(true)

const parsed = (block: string): LiveEvent | null => {
  const [, type, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
  if (type === undefined || data === undefined) return null
  return { type, record: JSON.parse(data) } as LiveEvent
}

/** Reads the stream of events to its end. */
const follow = async (signal: AbortSignal): Promise<void> => {
  const stream = await api().events.followStream({ signal, retries: 0 })
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const blocks = text.split("\n\n")
    text = blocks.pop()!
    for (const event of blocks.map(parsed)) {
      if (event === null) continue
      if (event.type === "ready") connected.value = true
      for (const listener of listeners) listener(event)
    }
  }
}

const longestPause = 30_000

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener("abort", () => {
      clearTimeout(timer)
      resolve()
    })
  })

/** Follows the workspace for as long as the console is signed in; a stream that ends or fails is opened again. */
const keepFollowing = async (signal: AbortSignal): Promise<void> => {
  let failures = 0
  while (!signal.aborted) {
    try {
      await follow(signal)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      connected.value = false
      expireAt(error)
      await pause(Math.min(longestPause, 1_000 * 2 ** failures++), signal)
    }
  }
}

const seen = signal(!document.hidden)

/**
 * To be called once: there is one stream, whatever pages are shown. A tab that is not seen has none, since a browser
 * opens six connections to a server at most; once it is seen again, `ready` has its page read again.
 */
export const beginLive = (): void => {
  document.addEventListener("visibilitychange", () => {
    seen.value = !document.hidden
  })
  effect(() => {
    if (!signedIn.value || !seen.value) return
    const controller = new AbortController()
    void keepFollowing(controller.signal)
    return () => controller.abort()
  })
}

/** Milliseconds between two readings, however much changes. */
const leastPause = 1_000

/** Reads again when something has changed that the page shows, at most once a second. */
export const useLive = (reload: () => void, concerns: (event: LiveEvent) => boolean): void => {
  const latest = useRef(concerns)
  latest.current = concerns
  useEffect(() => {
    let readAt = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const read = () => {
      timer = undefined
      readAt = Date.now()
      reload()
    }
    const listener: Listener = (event) => {
      if (timer !== undefined || (event.type !== "ready" && !latest.current(event))) return
      timer = setTimeout(read, Math.max(0, readAt + leastPause - Date.now()))
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      clearTimeout(timer)
    }
  }, [reload])
}
