import { assert, describe, it } from "@effect/vitest"
import {
  reviewValues,
  variableValues,
  wantedValues
} from "../../../../core/model/campaigns/RecipientValues.ts"
import { RawJson } from "../../../../core/model/json/RawJson.ts"

describe("the values by which a recipient is found", () => {
  it("are what was learnt of it; a question without an answer has none", () => {
    const review = RawJson(
      `{"answers":{"budget":"high","seats":12,"owner":true,"when":null},"qualification_status":"qualified","sentiment":null}`
    )
    assert.deepStrictEqual(reviewValues(review), [
      ["answers.budget", "high"],
      ["answers.seats", "12"],
      ["answers.owner", "true"],
      ["qualification_status", "qualified"]
    ])
  })

  it("are those of its variables that the workspace names", () => {
    const variables = RawJson(`{"city":"Paris","name":"Ada"}`)
    assert.deepStrictEqual(variableValues(variables, ["city", "order"]), [["variables.city", "Paris"]])
  })

  it("are asked for by a filter", () => {
    assert.deepStrictEqual(
      wantedValues({ sentiment: "positive", answers: { budget: "high" }, variables: { city: "Paris" } }),
      [
        ["variables.city", "Paris"],
        ["answers.budget", "high"],
        ["sentiment", "positive"]
      ]
    )
  })
})
