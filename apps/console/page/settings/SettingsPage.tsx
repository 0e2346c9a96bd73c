import type { ComponentChildren } from "preact"
import { Page } from "../components/Page.tsx"
import { Tabs } from "../components/Tabs.tsx"

const tabs = [
  ["/settings", "Workspace"],
  ["/settings/credits", "Credits"],
  ["/settings/usage", "Usage"],
  ["/settings/keys", "API keys"],
  ["/settings/audit", "Audit log"]
] as const

/** One of the settings' pages, with the ways to the others. */
export const SettingsPage = (props: {
  readonly title: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
}) => (
  <Page title={props.title} actions={props.actions}>
    <Tabs label="Settings" tabs={tabs} />
    {props.children}
  </Page>
)
