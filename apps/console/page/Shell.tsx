import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { useEffect } from "preact/hooks"
import { Notices } from "./components/Notice.tsx"
import { zone, zoneName } from "./data/Format.ts"
import { connected } from "./data/Live.ts"
import { sections } from "./Pages.ts"
import { place, to } from "./router/Location.ts"
import { signOut } from "./session/Session.ts"

/** The frame of all pages: the navigation beside them, or behind a button where the screen is narrow. */
export const Shell = (props: { readonly section: string | null; readonly children: ComponentChildren }) => {
  const open = useSignal(false)
  const { path } = place.value
  useEffect(() => {
    open.value = false
  }, [path, open])
  const name = zoneName()
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the page
      </a>
      <header class="bar">
        <a class="brand" href={to("/")}>
          Outdial
        </a>
        <button
          type="button"
          class="button menu"
          aria-expanded={open.value}
          aria-controls="navigation"
          onClick={() => (open.value = !open.value)}
        >
          Menu
        </button>
      </header>
      <div id="navigation" class={open.value ? "side open" : "side"}>
        <nav aria-label="Pages of the console">
          <ul>
            {sections.map(({ name, path }) => (
              <li key={path}>
                <a href={to(path)} aria-current={props.section === path ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <footer>
          {!connected.value && (
            <p class="refusal" role="status">
              The server tells no changes; trying again.
            </p>
          )}
          <p class="hint">
            Times are in {zone}
            {name === zone ? "" : ` (${name})`}
          </p>
          <button type="button" class="button plain" onClick={() => signOut()}>
            Sign out
          </button>
        </footer>
      </div>
      <main id="content">{props.children}</main>
      <Notices />
    </div>
  )
}
