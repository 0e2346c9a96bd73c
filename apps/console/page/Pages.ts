import type { ComponentType } from "preact"
import { match, type Params } from "./router/Match.ts"

export interface PageProps {
  readonly params: Params
}

export interface PageEntry {
  /** Below the console; `:name` is a parameter. */
  readonly path: string
  /** The entry of the navigation that it belongs to. */
  readonly section: string
  /** Loads the page's module, which the first load does not have. */
  readonly load: () => Promise<ComponentType<PageProps>>
}

/** The navigation, in its order. */
export const sections = [
  { name: "Overview", path: "/" },
  { name: "Calls", path: "/calls" },
  { name: "Campaigns", path: "/campaigns" },
  { name: "Agents", path: "/agents" },
  { name: "Tests", path: "/tests" },
  { name: "Messages", path: "/messages" },
  { name: "Numbers", path: "/numbers" },
  { name: "Webhooks", path: "/webhooks" },
  { name: "Settings", path: "/settings" }
] as const

/** Every page of the console. The first entry whose path matches is shown. */
export const pages: ReadonlyArray<PageEntry> = [
  { path: "/", section: "/", load: async () => (await import("./overview/Overview.tsx")).Overview },
  { path: "/calls", section: "/calls", load: async () => (await import("./calls/CallList.tsx")).CallList },
  { path: "/calls/new", section: "/calls", load: async () => (await import("./calls/NewCall.tsx")).NewCall },
  {
    path: "/calls/:call_id",
    section: "/calls",
    load: async () => (await import("./calls/CallPage.tsx")).CallPage
  },
  {
    path: "/campaigns",
    section: "/campaigns",
    load: async () => (await import("./campaigns/CampaignList.tsx")).CampaignList
  },
  {
    path: "/campaigns/new",
    section: "/campaigns",
    load: async () => (await import("./campaigns/NewCampaign.tsx")).NewCampaign
  },
  {
    path: "/campaigns/:campaign_id",
    section: "/campaigns",
    load: async () => (await import("./campaigns/CampaignPage.tsx")).CampaignPage
  },
  {
    path: "/campaigns/:campaign_id/setup",
    section: "/campaigns",
    load: async () => (await import("./campaigns/Setup.tsx")).Setup
  },
  {
    path: "/campaigns/:campaign_id/recipients",
    section: "/campaigns",
    load: async () => (await import("./campaigns/RecipientList.tsx")).RecipientList
  },
  {
    path: "/campaigns/:campaign_id/attempts",
    section: "/campaigns",
    load: async () => (await import("./campaigns/AttemptList.tsx")).AttemptList
  },
  {
    path: "/campaigns/:campaign_id/imports",
    section: "/campaigns",
    load: async () => (await import("./campaigns/ImportList.tsx")).ImportList
  },
  {
    path: "/campaigns/:campaign_id/recipients/:recipient_id",
    section: "/campaigns",
    load: async () => (await import("./campaigns/RecipientPage.tsx")).RecipientPage
  },
  {
    path: "/agents",
    section: "/agents",
    load: async () => (await import("./agents/AgentList.tsx")).AgentList
  },
  {
    path: "/agents/new",
    section: "/agents",
    load: async () => (await import("./agents/NewAgent.tsx")).NewAgent
  },
  {
    path: "/agents/:agent_id",
    section: "/agents",
    load: async () => (await import("./agents/AgentPage.tsx")).AgentPage
  },
  {
    path: "/tests",
    section: "/tests",
    load: async () => (await import("./tests/SuiteList.tsx")).SuiteList
  },
  {
    path: "/tests/new",
    section: "/tests",
    load: async () => (await import("./tests/NewSuite.tsx")).NewSuite
  },
  {
    path: "/tests/runs",
    section: "/tests",
    load: async () => (await import("./tests/RunList.tsx")).RunList
  },
  {
    path: "/tests/compare",
    section: "/tests",
    load: async () => (await import("./tests/ComparePage.tsx")).ComparePage
  },
  {
    path: "/tests/runs/:run_id",
    section: "/tests",
    load: async () => (await import("./tests/RunPage.tsx")).RunPage
  },
  {
    path: "/tests/:suite_id",
    section: "/tests",
    load: async () => (await import("./tests/SuitePage.tsx")).SuitePage
  },
  {
    path: "/messages",
    section: "/messages",
    load: async () => (await import("./messages/TemplateList.tsx")).TemplateList
  },
  {
    path: "/messages/new",
    section: "/messages",
    load: async () => (await import("./messages/NewTemplate.tsx")).NewTemplate
  },
  {
    path: "/messages/:template_id",
    section: "/messages",
    load: async () => (await import("./messages/TemplatePage.tsx")).TemplatePage
  },
  {
    path: "/numbers",
    section: "/numbers",
    load: async () => (await import("./numbers/OwnNumbers.tsx")).OwnNumbers
  },
  {
    path: "/numbers/new",
    section: "/numbers",
    load: async () => (await import("./numbers/NewNumber.tsx")).NewNumber
  },
  {
    path: "/numbers/available",
    section: "/numbers",
    load: async () => (await import("./numbers/AvailableNumbers.tsx")).AvailableNumbers
  },
  {
    path: "/numbers/do-not-call",
    section: "/numbers",
    load: async () => (await import("./numbers/DoNotCall.tsx")).DoNotCall
  },
  {
    path: "/numbers/do-not-call/new",
    section: "/numbers",
    load: async () => (await import("./numbers/NewBlocked.tsx")).NewBlocked
  },
  {
    path: "/webhooks",
    section: "/webhooks",
    load: async () => (await import("./webhooks/WebhookList.tsx")).WebhookList
  },
  {
    path: "/webhooks/new",
    section: "/webhooks",
    load: async () => (await import("./webhooks/NewWebhook.tsx")).NewWebhook
  },
  {
    path: "/webhooks/:webhook_id",
    section: "/webhooks",
    load: async () => (await import("./webhooks/WebhookPage.tsx")).WebhookPage
  },
  {
    path: "/webhooks/:webhook_id/deliveries/:delivery_id",
    section: "/webhooks",
    load: async () => (await import("./webhooks/DeliveryPage.tsx")).DeliveryPage
  },
  {
    path: "/settings",
    section: "/settings",
    load: async () => (await import("./settings/WorkspacePage.tsx")).WorkspacePage
  },
  {
    path: "/settings/credits",
    section: "/settings",
    load: async () => (await import("./settings/CreditsPage.tsx")).CreditsPage
  },
  {
    path: "/settings/usage",
    section: "/settings",
    load: async () => (await import("./settings/UsagePage.tsx")).UsagePage
  },
  {
    path: "/settings/keys",
    section: "/settings",
    load: async () => (await import("./settings/KeyList.tsx")).KeyList
  },
  {
    path: "/settings/keys/new",
    section: "/settings",
    load: async () => (await import("./settings/NewKey.tsx")).NewKey
  },
  {
    path: "/settings/audit",
    section: "/settings",
    load: async () => (await import("./settings/AuditPage.tsx")).AuditPage
  }
]

export interface Found {
  readonly entry: PageEntry
  readonly params: Params
}

export const pageAt = (path: string): Found | null => {
  for (const entry of pages) {
    const params = match(entry.path, path)
    if (params !== null) return { entry, params }
  }
  return null
}
