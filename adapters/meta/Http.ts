import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { Layer } from "effect"

/** A redirect is answered like any other status: the token goes to the address that was set and to no other. */
export const http = FetchHttpClient.layer.pipe(
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, { redirect: "manual" }))
)
