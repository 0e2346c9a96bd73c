import { useState } from "preact/hooks"
import type { OutdialClient } from "outdial/client"
import { api, expireAt } from "../session/Session.ts"

export interface Action<Args extends ReadonlyArray<unknown>> {
  /** Whether it was done: false when it failed, or when it was under way already. */
  readonly run: (...args: Args) => Promise<boolean>
  readonly busy: boolean
  readonly error: unknown
}

/** Something that is done at a click: it runs once at a time, and its failure is there to be shown. */
export const useAction = <Args extends ReadonlyArray<unknown>>(
  act: (client: OutdialClient, ...args: Args) => Promise<void>
): Action<Args> => {
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: unknown }>({
    busy: false,
    error: null
  })
  const run = async (...args: Args) => {
    if (state.busy) return false
    setState({ busy: true, error: null })
    try {
      await act(api(), ...args)
      setState({ busy: false, error: null })
      return true
    } catch (error) {
      expireAt(error)
      setState({ busy: false, error })
      return false
    }
  }
  return { run, ...state }
}
