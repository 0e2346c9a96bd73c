import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { api, expireAt } from "../session/Session.ts"
import type { OutdialClient, RequestOptions } from "outdial/client"

export interface Resource<A> {
  /** What was last read; null before. While something else is read, what was read before stays. */
  readonly data: A | null
  /** Why the last reading failed; null when it did not. */
  readonly error: unknown
  /** Whether what is shown is not what was asked for. It stays false while the same is read again. */
  readonly loading: boolean
  readonly reload: () => void
}

interface State<A> {
  readonly data: A | null
  readonly error: unknown
  readonly loading: boolean
}

/**
 * Reads from the interface when the component is first shown, when `key` changes and at `reload`. A reading for a key
 * that has changed is given up; a `reload` while one is under way has another follow it, so that a slow one comes to its
 * end however often it is asked for.
 */
export const useResource = <A>(
  read: (client: OutdialClient, options: RequestOptions) => Promise<A>,
  key: ReadonlyArray<unknown> = []
): Resource<A> => {
  const [state, setState] = useState<State<A>>({ data: null, error: null, loading: true })
  const latest = useRef(read)
  latest.current = read
  const reading = useRef<AbortController | null>(null)
  const isWanted = useRef(false)

  const begin = useCallback((isSame: boolean) => {
    reading.current?.abort()
    const mine = new AbortController()
    reading.current = mine
    isWanted.current = false
    const end = (change: (state: State<A>) => State<A>) => {
      if (mine.signal.aborted) return
      reading.current = null
      setState(change)
      if (isWanted.current) begin(true)
    }
    setState((state) =>
      state.loading || (isSame && state.error === null) ? state : { ...state, loading: true }
    )
    latest.current(api(), { signal: mine.signal }).then(
      (data) => end(() => ({ data, error: null, loading: false })),
      (error: unknown) => {
        if (!mine.signal.aborted) expireAt(error)
        end((state) => ({ ...state, error, loading: false }))
      }
    )
  }, [])
  const reload = useCallback(() => {
    if (reading.current === null) begin(true)
    else isWanted.current = true
  }, [begin])

  useEffect(() => begin(false), [JSON.stringify(key)])
  useEffect(() => () => reading.current?.abort(), [])
  return { ...state, reload }
}

/** Reads again every so often while it is active and the tab is seen. */
export const useRefresh = (reload: () => void, active: boolean, everyMs = 1_000): void => {
  useEffect(() => {
    if (!active) return
    const timer = setInterval(() => {
      if (!document.hidden) reload()
    }, everyMs)
    return () => clearInterval(timer)
  }, [reload, active, everyMs])
}
