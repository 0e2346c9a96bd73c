import type { Scenario } from "./Scenario.ts"
import { calm } from "./Script.ts"

type Preset = Omit<Scenario, "seed" | "say" | "patches">

const common = { refused: 5, patience: 100_000, naps: null }

/** Everything, for `npm run torture`. */
export const full: Readonly<Record<Scenario["store"], Preset>> = {
  sqlite: {
    ...common,
    store: "sqlite",
    processes: 1,
    recipients: 2_000,
    calls: 500,
    plan: { ...calm, kills: 300, outages: 10 },
    silence: true,
    calls_per_second: 100
  },
  postgres: {
    ...common,
    store: "postgres",
    processes: 3,
    recipients: 2_000,
    calls: 500,
    plan: { ...calm, kills: 300, freezes: 12, cuts: 10, outages: 5, restarts: 10, storm: 24 },
    silence: true,
    calls_per_second: 50
  }
}

/** What `npm test` has time for. */
export const short: Readonly<Record<Scenario["store"], Preset>> = {
  sqlite: {
    ...full.sqlite,
    recipients: 150,
    calls: 60,
    plan: { ...calm, kills: 5, outages: 1 },
    silence: false
  },
  postgres: {
    ...full.postgres,
    recipients: 100,
    calls: 50,
    plan: { ...calm, kills: 4, freezes: 1, cuts: 1, restarts: 1 },
    silence: false
  }
}
