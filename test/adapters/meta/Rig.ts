import { Context, Effect, Layer } from "effect"
import * as Meta from "../../../adapters/meta/MessageSender.ts"
import * as Registry from "../../../adapters/meta/TemplateRegistry.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import type { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { MessageSender } from "../../../core/ports/MessageSender.ts"
import { TemplateRegistry } from "../../../core/ports/TemplateRegistry.ts"
import { listenForCallbacks } from "../CallbackListener.ts"
import * as MetaServer from "./MetaServer.ts"
import { receiverOf } from "./Receiving.ts"

export const optionsOf = (
  server: Pick<MetaServer.MetaServer, "url">,
  more: Partial<Meta.Options> = {}
): Meta.Options => ({ ...MetaServer.credentials, url: server.url, timeout: "10 seconds", ...more })

/** A sender at a stand-in for Meta, which sends no webhooks. */
export const sender = Effect.fnUntraced(function* (more: Partial<Meta.Options> = {}) {
  const meta = yield* MetaServer.serve()
  const context = yield* Layer.build(Meta.layer(optionsOf(meta, more)))
  return { meta, sender: Context.get(context, MessageSender) }
})

/** A registry at a stand-in for Meta. */
export const registry = Effect.fnUntraced(function* (more: Partial<Registry.Options> = {}) {
  const meta = yield* MetaServer.serve()
  const context = yield* Layer.build(Registry.layer(optionsOf(meta, more)))
  return { meta, registry: Context.get(context, TemplateRegistry) }
})

export class Stand extends Context.Tag("test/meta/Stand")<Stand, MetaServer.MetaServer>() {}

/** A stand-in for Meta, a sender that uses it, and a receiver of its webhooks over HTTP. */
export const layer = (
  more: Partial<Meta.Options> = {}
): Layer.Layer<MessageSender | Stand, never, CarrierReports> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const meta = yield* MetaServer.serve()
      const { handleBy, url } = yield* listenForCallbacks
      meta.subscribe(`${url}/callbacks/meta`)
      const receiver = receiverOf(() => Effect.succeed(true))
      const context = yield* Layer.build(Layer.merge(Meta.layer(optionsOf(meta, more)), receiver))
      handleBy(Context.get(context, CarrierCallbacks).handle)
      return Context.add(context, Stand, meta)
    })
  )
