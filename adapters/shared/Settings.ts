import { Config, Duration } from "effect"

/** An http or https address without credentials. */
export const address = (
  name: string,
  protocols: ReadonlyArray<string> = ["https:", "http:"]
): Config.Config<string> =>
  Config.url(name).pipe(
    Config.validate({
      message: `must be an address that begins with ${protocols.map((each) => `${each}//`).join(" or ")} and holds no credentials`,
      validation: ({ password, protocol, username }) =>
        protocols.includes(protocol) && username === "" && password === ""
    }),
    Config.map(({ href }) => href)
  )

/** How long a request to a carrier may take: at most 15 seconds, 10 unless it is set. */
export const timeout = (name: string): Config.Config<Duration.Duration> =>
  Config.duration(name).pipe(
    Config.validate({
      message: "must be longer than nothing and at most 15 seconds",
      validation: (timeout) =>
        Duration.greaterThan(timeout, Duration.zero) && Duration.lessThanOrEqualTo(timeout, "15 seconds")
    }),
    Config.withDefault(Duration.seconds(10))
  )
