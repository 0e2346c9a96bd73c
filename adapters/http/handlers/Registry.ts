import * as Provider from "./Provider.ts"

const event = "a request to the template registry failed"

/** What a client is told when the registry of message templates failed. Source: contract, "Errors". */
export const failures = {
  RegistryUnusable: Provider.failed(
    event,
    502,
    "bad_gateway",
    "the template registry answered with nothing that could be used"
  ),
  RegistryUnavailable: Provider.failed(
    event,
    503,
    "service_unavailable",
    "the template registry cannot be reached; send the same request again later"
  ),
  RegistryTimedOut: Provider.failed(
    event,
    504,
    "gateway_timeout",
    "the template registry did not answer in time; send the same request again later"
  )
}
