import { useComputed, useSignal } from "@preact/signals"
import type { ComponentType } from "preact"
import { useEffect } from "preact/hooks"
import { Page } from "./components/Page.tsx"
import { Empty, Failure, Loading } from "./components/States.tsx"
import { type Found, pageAt, type PageEntry, type PageProps } from "./Pages.ts"
import { place, to } from "./router/Location.ts"
import { signedIn } from "./session/Session.ts"
import { SignIn } from "./session/SignIn.tsx"
import { Shell } from "./Shell.tsx"

const NotFound = () => (
  <Page title="Not found">
    <Empty title="There is no such page" action={<a href={to("/")}>To the overview</a>} />
  </Page>
)

const loaded = new Map<PageEntry, ComponentType<PageProps>>()

/** The page of an address, whose module is loaded first. One of other parameters is another page. */
const Loaded = ({ entry, params }: Found) => {
  const error = useSignal<unknown>(null)
  const ready = useSignal(loaded.has(entry))
  useEffect(() => {
    if (ready.value) return
    entry.load().then(
      (component) => {
        loaded.set(entry, component)
        ready.value = true
      },
      (cause: unknown) => {
        error.value = cause
      }
    )
  }, [entry, error, ready])
  const Component = ready.value ? loaded.get(entry) : undefined
  if (Component !== undefined) return <Component params={params} />
  return error.value === null ? (
    <Loading what="the page" />
  ) : (
    <Failure
      error={error.value}
      what="The page could not be loaded; the server may have a newer console."
      retry={() => location.reload()}
    />
  )
}

export const App = () => {
  const path = useComputed(() => place.value.path)
  if (!signedIn.value) return <SignIn />
  const found = pageAt(path.value)
  return (
    <Shell section={found?.entry.section ?? null}>
      {found === null ? <NotFound /> : <Loaded key={path.value} {...found} />}
    </Shell>
  )
}
