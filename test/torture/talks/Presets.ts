import type { Scenario } from "./Scenario.ts"

type Preset = Omit<Scenario, "seed" | "say" | "patches">

/** Everything, for `npm run torture`. */
export const full: Readonly<Record<Scenario["store"], Preset>> = {
  sqlite: {
    store: "sqlite",
    processes: 1,
    talks: 200,
    together: 40,
    lines: 6,
    kills: 12,
    apart: 2_500,
    clause: 150
  },
  postgres: {
    store: "postgres",
    processes: 3,
    talks: 200,
    together: 20,
    lines: 6,
    kills: 16,
    apart: 2_500,
    clause: 200
  }
}

/** What `npm test` has time for. */
export const short: Preset = {
  ...full.sqlite,
  talks: 12,
  together: 12,
  lines: 4,
  kills: 2,
  apart: 400,
  clause: 50
}
