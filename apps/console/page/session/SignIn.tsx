import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { notice, signIn } from "./Session.ts"

/** What is shown without a key, at whatever address, which is then the first one shown. */
export const SignIn = () => {
  const refusal = useSignal<string | null>(null)
  const busy = useSignal(false)
  const field = useRef<HTMLInputElement>(null)

  useEffect(() => {
    document.title = "Sign in · Outdial"
    field.current?.focus()
  }, [])

  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    busy.value = true
    refusal.value = await signIn(field.current?.value ?? "").finally(() => {
      busy.value = false
    })
    if (refusal.value !== null) field.current?.focus()
  }

  return (
    <main class="sign-in">
      <h1 class="brand">Outdial</h1>
      <form class="card stack" onSubmit={submit}>
        {notice.value !== null && <p class="note">{notice.value}</p>}
        <div class="field">
          <label for="key">API key</label>
          <input
            id="key"
            ref={field}
            type="password"
            autocomplete="off"
            spellcheck={false}
            required
            aria-invalid={refusal.value !== null}
            aria-describedby={refusal.value === null ? "key-help" : "key-refusal key-help"}
          />
          {refusal.value !== null && (
            <p id="key-refusal" class="refusal" role="alert">
              {refusal.value}
            </p>
          )}
          <p id="key-help" class="hint">
            The first start of the server prints one: <code>od_live_…</code>. This tab keeps it until it is
            closed.
          </p>
        </div>
        <button class="button primary" type="submit" disabled={busy.value}>
          {busy.value ? "Signing in…" : "Sign in"}
        </button>
      </form>
    </main>
  )
}
