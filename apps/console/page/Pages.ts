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
  { name: "Agents", path: "/agents" }
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
