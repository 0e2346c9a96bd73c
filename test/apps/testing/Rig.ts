import { Effect } from "effect"
import { createClient } from "../../../apps/client/main.ts"
import { makeTestPlatform, type TestPlatformOptions } from "../../../apps/testing/main.ts"

export const number = "+14155550123"

/** A platform that lasts as long as the scope, with its client. */
export const platform = (options: TestPlatformOptions = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => makeTestPlatform(options)),
      (outdial) => Effect.promise(() => outdial.dispose())
    ),
    (outdial) => {
      const api = createClient({
        baseUrl: outdial.baseUrl,
        apiKey: outdial.apiKey,
        fetch: outdial.fetch,
        retry: { retries: 0 }
      })
      const place = (to_number: string, body: object = {}) =>
        api.calls.place({ agent_id: outdial.agent_id, to_number, ...body })
      return { outdial, api, place }
    }
  )

/** What a promise is rejected with. */
export const rejection = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise
  } catch (error) {
    return error as Error
  }
  throw new Error("it was not rejected")
}
