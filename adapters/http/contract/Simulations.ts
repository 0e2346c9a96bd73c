import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Forecast, mostLearned } from "../../../core/model/forecasts/Forecast.ts"
import { Callees, mostObserved } from "../../../core/model/simulation/Learned.ts"
import { Simulation } from "../../../core/model/simulation/Simulation.ts"
import { SimulateBody } from "../../../core/model/simulation/SimulationBody.ts"
import { inThousands } from "../../../core/model/Thousands.ts"
import { mostPlayed } from "../../../core/usecases/Simulations.ts"
import { needs } from "./Authentication.ts"
import { CampaignPath } from "./Campaigns.ts"
import * as Errors from "./Errors.ts"
import { JsonBody } from "./JsonBody.ts"
import { operation } from "./Operation.ts"
import { CalleesQuery } from "./Queries.ts"
import * as Examples from "./SimulationExamples.ts"

const Simulated = Schema.Struct({
  ...Simulation.fields,
  chart: Schema.String.annotations({
    description:
      "One SVG document: calls under way and recipients reached over time, and when it is completed"
  })
}).annotations({ identifier: "CampaignSimulation" })

const simulate = HttpApiEndpoint.post("simulate", "/campaigns/:campaign_id/simulations")
  .setPath(CampaignPath)
  .setPayload(SimulateBody)
  .addSuccess(Simulated)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .addError(Errors.TooManyRequests)
  .addError(Errors.GatewayTimeout)
  .middleware(JsonBody)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("simulateCampaign", {
      summary: "Simulate a campaign",
      description:
        "Plays what is left of a campaign, its pending recipients, by the same engine in virtual time, whatever " +
        "the campaign's status: within its window, its caps, its retries, the do-not-call list and the credits " +
        "that the workspace has now. Callees answer by chance as `model` says. Nothing is dialled, spent or " +
        "stored. Each seed is one run with other chances, and the same seed plays the same; the answer has the " +
        "percentiles over all of them. Of many recipients it may take a minute or two.\n\n" +
        "What the default model says of callees is an assumption: give the rates of your own calls, or have them " +
        'learned: `"model": {"from": {"campaign_id": …}}` takes the calls of a campaign, `{"from": {}}` those of the ' +
        "workspace. Each seed then has callees of its own, as they may be by what is known of them.",
      scope: "campaigns:read",
      request: Examples.request,
      response: Examples.simulation,
      errors: {
        400:
          "A property breaks its rule or is not permitted; the campaign has no pending recipient; it, or the campaign " +
          "that is learned from, sends messages; " +
          `or recipients times \`seeds\` are more than ${inThousands(mostPlayed)}`,
        429: "Another simulation is under way; it may be asked for again after Retry-After seconds",
        503: "This server simulates no campaigns",
        504: "The simulation took too long"
      }
    })
  )

const callees = HttpApiEndpoint.get("callees", "/callees")
  .setUrlParams(CalleesQuery)
  .addSuccess(Callees)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("learnCallees", {
      summary: "Learn how callees behave",
      description:
        "What the calls of a campaign, or of the workspace, say of callees: how often they answer at which hour of " +
        "their day, how long they talk, and what an attempt after the first comes to. `model` can be given to a " +
        "simulation; `learned` has the number of observations behind each part. Where there are few, the model is " +
        `near to the default. The newest ${inThousands(mostObserved)} calls count at most; messages do not ` +
        "count, nor the calls of campaigns that are deleted.",
      scope: "campaigns:read",
      response: Examples.callees,
      errors: { 400: "A parameter breaks its rule; the campaign sends messages" }
    })
  )

const forecast = HttpApiEndpoint.get("forecast", "/campaigns/:campaign_id/forecast")
  .setPath(CampaignPath)
  .addSuccess(Forecast)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("getCampaignForecast", {
      summary: "Forecast a running campaign",
      description:
        "When the campaign will be completed, how many recipients it will have reached, and what its talks are charged " +
        "from now on. What is left of it, its retries and the calls under way with it, is played many times with callees " +
        "as its own calls show them, each time as they may be by what is known of them. The true end lies between `p10` " +
        "and `p90` four times out of five, as long as callees behave as they did, nothing is changed, and nothing pauses " +
        "the campaign. Other campaigns that run now are taken to go on beside it.\n\nA forecast is made anew when enough " +
        "has happened since the last, or some minutes have passed; `made_at` tells when that was. It is learned from the " +
        `newest ${inThousands(mostLearned)} calls at most.`,
      scope: "campaigns:read",
      response: Examples.forecast,
      errors: { 400: "The campaign does not run, or sends messages" }
    })
  )

export const SimulationsGroup = HttpApiGroup.make("simulations")
  .add(simulate)
  .add(callees)
  .add(forecast)
  .annotateContext(
    OpenApi.annotations({
      title: "Simulations",
      description:
        "When a campaign would be done, whom it would reach and what it would cost: before it is started, and while it runs."
    })
  )
