import { useEffect } from "preact/hooks"

/** Asks before a tab with unsaved changes is closed. */
export const useUnsaved = (isChanged: boolean): void => {
  useEffect(() => {
    if (!isChanged) return
    const guard = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener("beforeunload", guard)
    return () => removeEventListener("beforeunload", guard)
  }, [isChanged])
}
