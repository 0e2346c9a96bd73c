import { Cause, ConfigError, Effect, Exit } from "effect"
import { FetchHandler } from "../../adapters/http/server/FetchServer.ts"
import { WebhookInbox } from "../../adapters/simulated/WebhookInbox.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { Webhooks } from "../../core/usecases/Webhooks.ts"
import { sentence } from "../platform/Explain.ts"
import { Callees } from "./Callees.ts"
import { makeCarrier } from "./Carrier.ts"
import { checkCallee, checkFailure, checkOptions } from "./Checks.ts"
import { Disposed } from "./Errors.ts"
import { listen } from "./Listener.ts"
import { Outside } from "./Outside.ts"
import { makeReceiver } from "./Receiver.ts"
import { millisOf, momentOf } from "./Span.ts"
import { SteppedTime } from "./SteppedTime.ts"
import { tenant } from "./Tenant.ts"
import type { TestPlatform, TestPlatformOptions } from "./TestPlatform.ts"
import { Timekeeper } from "./Timekeeper.ts"
import { basePath, makeWorld, origin, type World } from "./World.ts"

const rejected = (cause: Cause.Cause<unknown>): unknown => {
  const error = Cause.squash(cause)
  return ConfigError.isConfigError(error) ? new TypeError(sentence(error) ?? "a setting is not valid") : error
}

/**
 * Makes a platform; the test that makes one calls `dispose` at the end.
 *
 * @throws {TypeError | RangeError} when an option, or a setting, is not valid
 */
export const makeTestPlatform = async (options: TestPlatformOptions = {}): Promise<TestPlatform> => {
  checkOptions(options)
  const {
    patience = 4_000,
    seed = 1,
    settings = {},
    start = "2026-01-05T15:00:00Z",
    strict = false
  } = options
  const time = new SteppedTime(momentOf(start))
  const outside = new Outside(patience)
  const keeper = new Timekeeper(time, outside)
  const callees = new Callees()
  const receiver = makeReceiver(time, outside)
  const report = (error: Error) => keeper.report(error)
  const carrier = makeCarrier({ time, outside, callees, strict, report })
  const world = makeWorld({ time, seed, carrier: carrier.layer, settings })
  const listeners: Array<{ readonly close: () => Promise<void> }> = []
  let disposed: Promise<void> | undefined

  const run: World["runPromise"] = async (effect) => {
    const exit = await world.runPromiseExit(effect)
    if (Exit.isFailure(exit)) throw rejected(exit.cause)
    return exit.value
  }
  const isOpen = () => {
    if (disposed !== undefined) throw new Disposed()
  }

  const { apiKey, ...ids } = await run(tenant(options))
  const handler = await run(FetchHandler)
  await run(Effect.flatMap(WebhookInbox, ({ respond }) => respond(receiver.receive)))

  const answered = async (request: Request): Promise<Response> => {
    const end = outside.begin(`${request.method} ${new URL(request.url).pathname}`)
    try {
      const response = await handler.fetch(request)
      await keeper.drain()
      return response
    } finally {
      end()
    }
  }

  const close = async () => {
    await Promise.all(listeners.map((listener) => listener.close()))
    await keeper.close()
    receiver.respond(200, Infinity)
    outside.abandon()
    // What is in hand comes to its end in virtual time, which has no use for the rest of it.
    await keeper.runUntil(world.dispose())
    keeper.throwReported()
  }

  return {
    ...ids,
    apiKey,
    baseUrl: `${origin}${basePath}`,
    dialled: carrier.dialled,
    delivered: receiver.delivered,
    get now() {
      return new Date(time.unsafeCurrentTimeMillis())
    },
    fetch: async (input, init) => {
      isOpen()
      const request = new Request(input, init)
      const target = new URL(request.url).origin
      if (target !== origin)
        throw new TypeError(`this fetch reaches the test platform alone, at ${origin}, and not ${target}`)
      request.headers.set("host", new URL(origin).host)
      request.signal.throwIfAborted()
      const response = await answered(request)
      request.signal.throwIfAborted()
      return response
    },
    callee: (who, callee) => callees.set(who, checkCallee(callee)),
    onWebhook: (handle) => receiver.handle(handle),
    advance: async (span) => {
      const millis = millisOf(span)
      await keeper.moveTo(() => time.unsafeCurrentTimeMillis() + millis)
    },
    advanceTo: async (moment) => {
      const at = momentOf(moment)
      await keeper.moveTo(() => {
        if (at < time.unsafeCurrentTimeMillis()) throw new RangeError("time does not go back")
        return at
      })
    },
    runUntilIdle: async ({ atMost = "30 days" } = {}) => {
      const hint = () => (carrier.failing() ? ": the carrier is failing, call carrier.recover()" : "")
      await keeper.moveToIdle(millisOf(atMost), hint)
    },
    carrier: {
      fail: async (mode) => {
        checkFailure(mode)
        carrier.fail(mode)
      },
      recover: async () => carrier.recover()
    },
    webhooks: {
      create: async ({ event_types = [], url = "https://app.test/webhooks" } = {}) => {
        isOpen()
        const { id, secret } = await run(
          Effect.flatMap(Webhooks, (webhooks) => webhooks.create(ids.workspace_id, { url, event_types }))
        )
        return { id, url, secret }
      },
      respond: (status, { times = Infinity } = {}) => receiver.respond(status, times),
      recover: () => receiver.recover()
    },
    topUp: async (amount) => {
      isOpen()
      await run(Effect.flatMap(Credits, (credits) => credits.topUp(ids.workspace_id, amount, null)))
    },
    listen: async (where = {}) => {
      isOpen()
      const listener = await listen(answered, where)
      listeners.push(listener)
      return listener.baseUrl
    },
    dispose: () => (disposed ??= close())
  }
}
