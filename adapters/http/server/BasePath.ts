import { Config } from "effect"

const pattern = /^(\/[A-Za-z0-9._~-]+)*$/

/** `OUTDIAL_BASE_PATH`: where the REST interface stands. Default /v0. */
export const basePath = Config.string("OUTDIAL_BASE_PATH").pipe(
  Config.validate({
    message: "must be a path such as /v0, without a slash at its end",
    validation: (path) => pattern.test(path)
  }),
  Config.withDefault("/v0")
)
