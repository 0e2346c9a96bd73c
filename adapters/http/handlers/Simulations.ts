import { Effect, Either } from "effect"
import { firstOf } from "../../../core/model/InvalidInput.ts"
import { chartOf } from "../../../core/model/simulation/Chart.ts"
import { type Simulation, toJson } from "../../../core/model/simulation/Simulation.ts"
import { simulationFromJson } from "../../../core/model/simulation/SimulationBody.ts"
import { Simulations } from "../../../core/usecases/Simulations.ts"
import { Api } from "../contract/Api.ts"
import { ApiError, response } from "../contract/Coded.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

/** Seconds after which a simulation that was not begun may be asked for again. */
const patience = "10"

const record = (simulation: Simulation) =>
  Json.json(`${toJson(simulation).slice(0, -2)},\n  "chart": ${JSON.stringify(chartOf(simulation))}\n}`)

const failures = {
  SimulatorBusy: ({ message }: Error) =>
    Effect.succeed(response(429, "too_many_requests", message, { "retry-after": patience })),
  SimulatorMissing: ({ message }: Error) =>
    Effect.fail(new ApiError({ status: 503, code: "service_unavailable", message })),
  SimulationTooLong: ({ message }: Error) =>
    Effect.fail(new ApiError({ status: 504, code: "gateway_timeout", message }))
}

export const layer = Operations.group(
  Api,
  "simulations",
  Effect.fnUntraced(function* (handlers) {
    const simulations = yield* Simulations
    return handlers
      .handle("callees", ({ urlParams: { campaign_id = null, since = null } }) =>
        Json.inWorkspace((id) => simulations.callees(id, { campaign_id, since }))
      )
      .handle("forecast", ({ path }) => Json.inWorkspace((id) => simulations.forecast(id, path.campaign_id)))
      .handleRaw("simulate", ({ path, request }) =>
        Json.inWorkspace((id) =>
          Json.text(request).pipe(
            Effect.flatMap((text) => Either.mapLeft(simulationFromJson(text), firstOf)),
            // A client that has gone away needs no simulation.
            Effect.flatMap((wanted) =>
              Effect.interruptible(simulations.simulate(id, path.campaign_id, wanted))
            ),
            Effect.map(record),
            Effect.catchTags(failures)
          )
        )
      )
  })
)
