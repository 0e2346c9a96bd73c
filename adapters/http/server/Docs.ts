import { Effect, Layer } from "effect"
import type * as HttpApi from "@effect/platform/HttpApi"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as OpenApi from "@effect/platform/OpenApi"
import { Api } from "../contract/Api.ts"
import { webhooks } from "../contract/Events.ts"
import { creating } from "../contract/Repeated.ts"
import { closeBodies } from "./ClosedBodies.ts"

type Json = null | boolean | number | string | Array<Json> | { [key: string]: Json }
type Spec = Record<string, any> // oxlint-disable-line typescript/no-explicit-any

const securitySchemes = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-KEY",
    description: "`od_live_<id>_<secret>`, issued by the operator of the platform and shown once"
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "A JSON Web Token that carries the workspace and its scopes"
  }
}

const isNoise = (key: string, item: Json): boolean =>
  (key === "title" && typeof item === "string" && /^(int|between|(max|min)(Length|Items))\b/.test(item)) ||
  (key === "description" && typeof item === "string" && /^an? (string|number|integer|array)\b/.test(item)) ||
  (key === "additionalProperties" && item === false) ||
  (key === "required" && Array.isArray(item) && item.length === 0)

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What the generator adds for its own use: `$id`s of nothing, names for numbers, words that repeat a bound. */
const cleaned = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(cleaned)
  if (!isObject(value)) return value
  if (String(value["$id"] ?? "").startsWith("/schemas/")) {
    return value["description"] === undefined ? {} : { description: value["description"] }
  }
  const kept: { [key: string]: Json } = {}
  for (const [key, item] of Object.entries(value)) {
    if (key === "$ref" && item === "#/components/schemas/Int") kept["type"] = "integer"
    else if (!isNoise(key, item)) kept[key] = cleaned(item)
  }
  const { allOf, ...rest } = kept
  const only = Array.isArray(allOf) && allOf.length === 1 ? allOf[0]! : null
  return isObject(only) ? { ...only, ...rest } : kept
}

const nameOf = (ref: string) => ref.slice("#/components/schemas/".length)

const requestIdHeader = {
  "X-Request-Id": { description: "The request's id", schema: { type: "string" } }
}

const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Any text of 1 to 255 visible characters, quoted or bare. The same request with the same key is answered as it was " +
    "the first time, for 24 hours, and creates nothing again. A refusal leaves the key free.",
  schema: { type: "string", maxLength: 257 }
}

const errorOf = (name: string, description: string) => ({
  description,
  content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } }
})

/** An operation that creates something takes an idempotency key. */
const takeKeys = (spec: Spec) => {
  for (const path of [...Object.keys(creating), "/call-batches"]) {
    const { post } = spec["paths"][path.replaceAll(/:(\w+)/g, "{$1}")]
    post["parameters"] = [...(post["parameters"] ?? []), idempotencyKey]
    post["responses"]["409"] ??= errorOf("Conflict", "A request with the same Idempotency-Key is under way")
    post["responses"]["422"] ??= errorOf(
      "IdempotencyKeyReused",
      "The Idempotency-Key was used with another request"
    )
  }
}

/** Gives each response its header, and each error an example. */
const finished = (spec: Spec): Spec => {
  const schemas: Spec = spec["components"].schemas
  delete schemas["Int"]
  closeBodies(spec)
  takeKeys(spec)
  for (const item of Object.values(spec["paths"]) as Array<Spec>) {
    for (const operation of Object.values(item) as Array<Spec>) {
      for (const [status, response] of Object.entries(operation["responses"]) as Array<[string, Spec]>) {
        response["headers"] = { ...requestIdHeader }
        if (Number(status) >= 400) {
          const media: Spec = response["content"]["application/json"]
          media["schema"] = { $ref: media["schema"].$ref }
          media["example"] ??= schemas[nameOf(media["schema"].$ref)].examples[0]
        }
        if (status === "429" || status === "503") {
          response["headers"]["Retry-After"] = {
            description: "Seconds to wait",
            schema: { type: "integer" }
          }
        }
      }
    }
  }
  return spec
}

/** The OpenAPI 3.1 document of the interface at a base path. */
export const openApi = (basePath: string): OpenApi.OpenAPISpec => OpenApi.fromApi(documented(basePath))

const known = new Map<string, ReturnType<typeof document>>()

/** The same object for the same base path: what it is written out as is kept with it. */
const documented = (basePath: string) => {
  const api = known.get(basePath) ?? document(basePath)
  known.set(basePath, api)
  return api
}

const document = (basePath: string) =>
  Api.annotateContext(
    OpenApi.annotations({
      servers: [{ url: basePath === "" ? "/" : basePath, description: "This server" }],
      transform: (generated: Spec) => {
        const spec = cleaned(generated as Json) as Spec
        return finished({
          ...spec,
          info: { ...spec["info"], contact: { name: "The operator of this server" } },
          security: [{ apiKey: [] }],
          webhooks,
          components: { ...spec["components"], securitySchemes }
        })
      }
    })
  )

/** The page may load nothing from elsewhere, and talk to this server alone. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; " +
  "img-src 'self' data:; font-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

const guarded = HttpServerResponse.setHeader("content-security-policy", contentSecurityPolicy)

/** What answers `/docs`. Its script is 2 MB: it is loaded with the first request. */
const reference = Effect.fnUntraced(function* (api: HttpApi.HttpApi.Any) {
  const { layerHttpLayerRouter } = yield* Effect.promise(() => import("@effect/platform/HttpApiSwagger"))
  const router = yield* HttpLayerRouter.make
  const page = Layer.provide(
    layerHttpLayerRouter({ api, path: "/docs" }),
    Layer.succeed(HttpLayerRouter.HttpRouter, router)
  )
  yield* Effect.scoped(Layer.build(page))
  return router
})

/**
 * `/docs`, an interactive reference that needs nothing from elsewhere, and `/openapi.json`. Both are made for the first
 * request: most processes never answer one.
 */
export const layer = (basePath: string) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const page = yield* Effect.cached(Effect.uninterruptible(reference(documented(basePath))))
      const document = yield* Effect.cached(
        Effect.sync(() => HttpServerResponse.unsafeJson(openApi(basePath)))
      )
      return Layer.mergeAll(
        HttpLayerRouter.add(
          "GET",
          "/docs",
          Effect.map(
            Effect.flatMap(page, (router) => router.asHttpEffect()),
            guarded
          )
        ),
        HttpLayerRouter.add("GET", "/openapi.json", document)
      )
    })
  )
