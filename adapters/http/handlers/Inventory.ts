import { Effect } from "effect"
import { type InventoryUnavailable, notConfigured } from "../../../core/ports/NumberInventory.ts"
import { ApiError } from "../contract/Coded.ts"
import * as Provider from "./Provider.ts"

const event = "a search of the number inventory failed"

const unreachable = Provider.failed(
  event,
  503,
  "service_unavailable",
  "the number inventory cannot be reached; send the same request again later"
)

/** That there is none is how the service was set up, and nothing to warn of. */
const unavailable = (failure: InventoryUnavailable) =>
  failure.message === notConfigured
    ? Effect.fail(new ApiError({ status: 503, code: "service_unavailable", message: notConfigured }))
    : unreachable(failure)

/** What a client is told of a search that failed. Source: contract, "Errors". */
export const failures = {
  InventoryUnusable: Provider.failed(
    event,
    502,
    "bad_gateway",
    "the number inventory answered with nothing that could be used"
  ),
  InventoryUnavailable: unavailable,
  InventoryTimedOut: Provider.failed(
    event,
    504,
    "gateway_timeout",
    "the number inventory did not answer in time"
  )
}
