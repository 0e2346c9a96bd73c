import { Cause, Effect, Equal, Layer, Option, Schedule, Scope } from "effect"
import { PersistenceError } from "@effect/cluster/ClusterError"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import type { Runner } from "@effect/cluster/Runner"
import { RunnerAddress } from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as RunnerServer from "@effect/cluster/RunnerServer"
import { RunnerStorage } from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import type { Sharding } from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeSocketServer from "@effect/platform-node/NodeSocketServer"
import { SocketServer } from "@effect/platform/SocketServer"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import type { SqlClient } from "@effect/sql/SqlClient"
import { StoreUnavailable } from "../../core/ports/Repository.ts"
import { within } from "../shared/Within.ts"
import { ClusterSocketFailed } from "./ClusterSocketFailed.ts"
import type { ClusterOptions, Health } from "./Config.ts"
import * as Kubernetes from "./Kubernetes.ts"
import { whileLocked } from "./StartLock.ts"

/**
 * A process that has not renewed its locks for five seconds has lost them, however it went: killed, frozen or cut
 * off. Locks are rows, not those of a connection: a machine that vanishes without a word would keep the latter for
 * hours. The others see it within half a second, try for the locks every second, and ask for work every second.
 */
const timing = {
  shardLockDisableAdvisory: true,
  shardLockExpiration: "5 seconds",
  shardLockRefreshInterval: "2 seconds",
  refreshAssignmentsInterval: "500 millis",
  runnerHealthCheckInterval: "5 seconds",
  // Without stored messages nothing is polled for, but a failure of the store is waited out for as long.
  entityMessagePollInterval: "1 second",
  sendRetryInterval: "250 millis",
  // A loop ends by being interrupted, and drains by itself.
  entityTerminationTimeout: 0,
  simulateRemoteSerialization: false
} satisfies Partial<ShardingConfig.ShardingConfig["Type"]>

/** Waits for it a second at most. */
const aMoment = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | PersistenceError> =>
  Effect.flatMap(
    within("1 second", work),
    Option.match({
      onNone: () => new PersistenceError({ cause: new Error("the store does not answer") }),
      onSome: Effect.succeed
    })
  )

/**
 * Members and locks, as rows of `outdial_cluster_runners` and `outdial_cluster_locks`. What a process does with them at
 * its end it need not do: they lapse. The library waits for it without an end while the database is away.
 */
const storage: Layer.Layer<RunnerStorage, StoreUnavailable, SqlClient | ShardingConfig.ShardingConfig> =
  Layer.scoped(
    RunnerStorage,
    Effect.acquireRelease(Scope.make(), (scope, exit) =>
      Effect.ignore(aMoment(Scope.close(scope, exit)))
    ).pipe(
      Effect.flatMap((scope) =>
        Scope.extend(whileLocked(SqlRunnerStorage.make({ prefix: "outdial_cluster" })), scope)
      ),
      Effect.map((storage) => ({
        ...storage,
        // An interrupted query would wait until the driver has told the server.
        getRunners: Effect.disconnect(storage.getRunners),
        register: (runner: Runner, healthy: boolean) => Effect.disconnect(storage.register(runner, healthy)),
        setRunnerHealth: (address: RunnerAddress, healthy: boolean) =>
          Effect.disconnect(storage.setRunnerHealth(address, healthy)),
        unregister: (address: RunnerAddress) => aMoment(storage.unregister(address)),
        releaseAll: (address: RunnerAddress) => aMoment(storage.releaseAll(address))
      })),
      // The library dies of a connection that it does not get.
      Effect.catchAllCause((cause) => new StoreUnavailable({ cause: Cause.squash(cause) }))
    )
  )

const healthOf = (health: Health) =>
  health._tag === "Kubernetes"
    ? RunnerHealth.layerK8s({ namespace: health.namespace, labelSelector: health.labels }).pipe(
        Layer.provide(health.client ?? Kubernetes.client)
      )
    : Layer.provide(RunnerHealth.layerPing, Runners.layerRpc)

/** Completes once the members' table names this process: from then on the others give it its share. */
const joined = (self: RunnerAddress) =>
  Layer.effectDiscard(
    Effect.flatMap(RunnerStorage, ({ getRunners }) =>
      getRunners.pipe(
        Effect.map((members) => members.some(([{ address }]) => Equal.equals(address, self))),
        Effect.orElseSucceed(() => false),
        Effect.repeat({ until: (isMember) => isMember, schedule: Schedule.spaced("50 millis") }),
        Effect.timeoutFail({
          duration: "30 seconds",
          onTimeout: () => new StoreUnavailable({ cause: new Error("the cluster could not be joined") })
        })
      )
    )
  )

const listen = (host: string, port: number) =>
  Effect.mapError(
    NodeSocketServer.make({ host, port }),
    (cause) =>
      new ClusterSocketFailed({ message: `the cluster's socket cannot listen on ${host}:${port}`, cause })
  )

/**
 * Makes this process a member of the cluster: it listens for the others, has locks on its share of the shards, and
 * gives them back at the end. The layer is built once the process has joined.
 */
export const layer = ({
  health,
  host,
  port
}: ClusterOptions): Layer.Layer<Sharding, ClusterSocketFailed | StoreUnavailable, SqlClient> =>
  Layer.unwrapScoped(
    Effect.map(listen(host, port), (server) => {
      const self = RunnerAddress.make({
        host,
        port: server.address._tag === "TcpAddress" ? server.address.port : port
      })
      return Layer.merge(RunnerServer.layerWithClients, joined(self)).pipe(
        Layer.provide(RpcServer.layerProtocolSocketServer),
        Layer.provide(Layer.succeed(SocketServer, server)),
        Layer.provide(healthOf(health)),
        Layer.provide(NodeClusterSocket.layerClientProtocol),
        Layer.provide([storage, MessageStorage.layerNoop, RpcSerialization.layerNdjson]),
        Layer.provide(ShardingConfig.layer({ ...timing, runnerAddress: Option.some(self) }))
      )
    })
  )
