import { K8sHttpClient } from "@effect/cluster/K8sHttpClient"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientError from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Effect, Layer, Option } from "effect"

const api = "https://kubernetes.default.svc/api"
const tokenFile = "/var/run/secrets/kubernetes.io/serviceaccount/token"

/** How long an answer may take. Without an answer no process counts as dead, and the question is asked again soon. */
const patience = "5 seconds"

/**
 * The API of Kubernetes as a pod asks it: with the token of its service account as it is then, since it is renewed
 * every hour, and once.
 */
export const layer = Layer.effect(
  K8sHttpClient,
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const token = Effect.option(files.readFileString(tokenFile))
    return (yield* HttpClient.HttpClient).pipe(
      HttpClient.mapRequest(HttpClientRequest.prependUrl(api)),
      HttpClient.mapRequestEffect((request) =>
        Effect.map(
          token,
          Option.match({
            onNone: () => request,
            onSome: (text) => HttpClientRequest.bearerToken(request, text.trim())
          })
        )
      ),
      HttpClient.filterStatusOk,
      HttpClient.transform((answer, request) =>
        Effect.timeoutFail(answer, {
          duration: patience,
          onTimeout: () =>
            new HttpClientError.RequestError({
              request,
              reason: "Transport",
              description: "no answer in time"
            })
        })
      )
    )
  })
)

/** With the authority that the pod trusts, and connections of its own. */
export const client: Layer.Layer<K8sHttpClient> = layer.pipe(
  Layer.provide(Layer.fresh(NodeHttpClient.layerUndiciWithoutDispatcher)),
  Layer.provide(NodeClusterSocket.layerDispatcherK8s),
  Layer.provide(NodeFileSystem.layer)
)
