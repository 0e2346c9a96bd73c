import { useCallback, useEffect, useRef, useState } from "preact/hooks"
import { api, expireAt } from "../session/Session.ts"
import type { OutdialClient, RequestOptions } from "outdial/client"

export interface Resource<A> {
  /** What was last read; null before. While something else is read, what was read before stays. */
  readonly data: A | null
  /** Why the last reading failed; null when it did not. */
  readonly error: unknown
  readonly loading: boolean
  readonly reload: () => void
}

interface State<A> {
  readonly data: A | null
  readonly error: unknown
  readonly loading: boolean
}

/**
 * Reads from the interface when the component is first shown, when `key` changes and at `reload`. A reading that is
 * overtaken is given up.
 */
export const useResource = <A>(
  read: (client: OutdialClient, options: RequestOptions) => Promise<A>,
  key: ReadonlyArray<unknown> = []
): Resource<A> => {
  const [state, setState] = useState<State<A>>({ data: null, error: null, loading: true })
  const latest = useRef(read)
  latest.current = read
  const controller = useRef<AbortController | null>(null)

  const reload = useCallback(() => {
    controller.current?.abort()
    const mine = new AbortController()
    controller.current = mine
    setState((state) => (state.loading ? state : { ...state, loading: true }))
    latest.current(api(), { signal: mine.signal }).then(
      (data) => {
        if (!mine.signal.aborted) setState({ data, error: null, loading: false })
      },
      (error: unknown) => {
        if (mine.signal.aborted) return
        expireAt(error)
        setState((state) => ({ ...state, error, loading: false }))
      }
    )
  }, [])

  useEffect(reload, [JSON.stringify(key)])
  useEffect(() => () => controller.current?.abort(), [])
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
