import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import * as FileSystem from "@effect/platform/FileSystem"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Effect, Layer } from "effect"
import * as Kubernetes from "../../../adapters/cluster/Kubernetes.ts"
import { asText, json, listen } from "../../Listener.ts"

/** How the API answers: as it should, that this may not be asked, by closing the connection, or never. */
export type Mood = "well" | "forbidden" | "gone" | "silent"

const started = "2026-01-05T09:00:00Z"

/** A pod as the API lists it, cut down to what tells of its state. */
const podOf = ([ip, ready]: readonly [string, boolean]) => ({
  metadata: { name: `outdial-${ip}`, namespace: "voice", labels: { app: "outdial" } },
  spec: { nodeName: "node-1" },
  status: {
    phase: "Running",
    conditions: [
      { type: "Initialized", status: "True", lastProbeTime: null, lastTransitionTime: started },
      {
        type: "Ready",
        status: ready ? "True" : "False",
        lastProbeTime: null,
        lastTransitionTime: "2026-01-05T10:00:00Z"
      },
      { type: "PodScheduled", status: "True", lastProbeTime: null, lastTransitionTime: started }
    ],
    hostIP: "10.0.0.1",
    podIP: ip,
    podIPs: [{ ip }],
    startTime: started
  }
})

/** What the API of Kubernetes says of pods. */
export const make = Effect.gen(function* () {
  const pods = new Map<string, boolean>()
  let mood: Mood = "well"
  const { asked, url } = yield* listen(asText, (arrived) => {
    if (mood === "gone") return arrived.response.destroy()
    if (mood === "forbidden") return json(arrived, 403, { kind: "Status", status: "Failure", code: 403 })
    if (mood === "silent") return
    return json(arrived, 200, {
      kind: "PodList",
      apiVersion: "v1",
      metadata: {},
      items: [...pods].map(podOf)
    })
  })
  return {
    url,
    /** Addresses of the pods that run, and whether they are ready. */
    pods,
    asked,
    turn: (to: Mood) =>
      Effect.sync(() => {
        mood = to
        asked.length = 0
      })
  }
})

export type KubernetesApi = Effect.Effect.Success<typeof make>

/** What a pod finds in its file system, where it is renewed now and then. */
export const tokens = ["eyJhbGciOiJSUzI1NiJ9.service-account", "eyJhbGciOiJSUzI1NiJ9.renewed"] as const
let token: string = tokens[0]
export const renew = Effect.sync(() => {
  token = tokens[1]
})

const files = FileSystem.layerNoop({
  readFileString: (path) =>
    path === "/var/run/secrets/kubernetes.io/serviceaccount/token"
      ? Effect.sync(() => `${token}\n`)
      : Effect.dieMessage(`unexpected: ${path}`)
})

/** Asks the API over HTTP; what is sent to https://kubernetes.default.svc arrives at the stand-in. */
export const clientOf = ({ url }: KubernetesApi) =>
  Kubernetes.layer.pipe(
    Layer.provide(
      Layer.effect(
        HttpClient.HttpClient,
        Effect.map(HttpClient.HttpClient, ({ execute }) =>
          HttpClient.make((request, { href }) =>
            execute(
              HttpClientRequest.setUrl(request, href.replace("https://kubernetes.default.svc/", `${url}/`))
            )
          )
        )
      )
    ),
    Layer.provide([NodeHttpClient.layerUndici, files])
  )
