import type { K8sHttpClient } from "@effect/cluster/K8sHttpClient"
import { Config, type Layer, Option } from "effect"

/** What tells whether another process still lives. */
export type Health =
  | { readonly _tag: "Ping" }
  | {
      readonly _tag: "Kubernetes"
      readonly namespace: string | undefined
      /** A label selector: `app=outdial`. */
      readonly labels: string | undefined
      /** How its API is asked, if not as a pod does. */
      readonly client?: Layer.Layer<K8sHttpClient>
    }

export interface ClusterOptions {
  /** Where the other processes reach this one, and what it listens on. */
  readonly host: string
  /** 0: any free one. */
  readonly port: number
  readonly health: Health
}

/** `OUTDIAL_CLUSTER_HOST`: the address of this machine that the other processes reach. Default 127.0.0.1. */
const host = Config.nonEmptyString("OUTDIAL_CLUSTER_HOST").pipe(
  Config.validate({
    message: "must be the address under which the other processes reach this one, not one that means all",
    validation: (host) => !["0.0.0.0", "::", "*"].includes(host)
  }),
  Config.withDefault("127.0.0.1")
)

/** `OUTDIAL_CLUSTER_PORT`. Default 0: any free one. */
const port = Config.integer("OUTDIAL_CLUSTER_PORT").pipe(
  Config.validate({
    message: "must be a port, or 0 for any free one",
    validation: (port) => port >= 0 && port <= 65_535
  }),
  Config.withDefault(0)
)

const health = Config.all({
  kind: Config.withDefault(Config.literal("ping", "kubernetes")("OUTDIAL_CLUSTER_HEALTH"), "ping"),
  namespace: Config.option(Config.nonEmptyString("OUTDIAL_CLUSTER_KUBERNETES_NAMESPACE")),
  labels: Config.option(Config.nonEmptyString("OUTDIAL_CLUSTER_KUBERNETES_LABELS"))
}).pipe(
  Config.map(({ kind, labels, namespace }): Health =>
    kind === "ping"
      ? { _tag: "Ping" }
      : {
          _tag: "Kubernetes",
          namespace: Option.getOrUndefined(namespace),
          labels: Option.getOrUndefined(labels)
        }
  )
)

/** The settings of the cluster, from `OUTDIAL_CLUSTER_…`. */
export const options: Config.Config<ClusterOptions> = Config.all({ host, port, health })
