import { Effect } from "effect"
import { table } from "../Verdict.ts"
import * as Scenario from "./Scenario.ts"
const [store = "sqlite", talks = "10", kills = "2", processes = "1", seed = "1"] = process.argv.slice(2)
const o = await Effect.runPromise(
  Scenario.run({
    seed: Number(seed),
    store: store as "sqlite",
    processes: Number(processes),
    talks: Number(talks),
    together: 40,
    lines: 5,
    kills: Number(kills),
    apart: 800,
    clause: 60,
    patches: [],
    say: (l) => console.log(new Date().toISOString(), l)
  })
)
console.log(table(o.findings))
console.log(o.seconds, o.kills, o.drops, o.uses)
for (const t of o.evidence.talks) {
  if (!o.findings.some((f) => f.breaches.some((b) => b.includes(t.session_id) || b.includes(t.call_id)))) continue
  console.log(t.session_id, "drops", t.drops.map((d) => d % 1e6), "ended", t.ended, t.failed)
  for (const x of t.spoken) console.log("   ", x.at % 1e6, x.by, x.text)
  for (const x of t.told?.turns ?? []) {
    const y = x as any
    console.log("  ", Date.parse(y.started_at) % 1e6, y.role, y.text, "|", y.generated, y.tool?.arguments)
  }
}
process.exit(0)
