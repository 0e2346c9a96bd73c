import { to } from "../router/Location.ts"

const pages: Readonly<Record<string, string>> = {
  call: "/calls/",
  agent: "/agents/",
  whk: "/webhooks/",
  camp: "/campaigns/",
  suite: "/tests/",
  run: "/tests/runs/",
  tmpl: "/messages/"
}

/** A record by its id, and the way to its page where it has one. */
export const RecordLink = ({ id }: { readonly id: string | null }) => {
  if (id === null) return <span class="none">–</span>
  const page = pages[id.slice(0, id.indexOf("_"))]
  const code = <code>{id}</code>
  return page === undefined ? code : <a href={to(page + id)}>{code}</a>
}
