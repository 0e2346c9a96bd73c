import { readFile } from "node:fs/promises"
import { extname } from "node:path"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerError from "@effect/platform/HttpServerError"
import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect } from "effect"
import * as Coded from "../contract/Coded.ts"
import { withRequest } from "../contract/RequestContext.ts"

/** Where the console stands. */
export const path = "/console"

/** Its paths, as the router takes them. */
export const paths = ["/", path, `${path}/*`] as const

const assets = `${path}/assets/`

/** The page loads nothing from elsewhere, runs no inline code, and talks to this server alone. */
const contentSecurityPolicy = (nonce: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; ` +
  "media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page, with a nonce of this answer for the styles that its waveform brings along. */
const pageOf = (text: string, basePath: string): HttpServerResponse.HttpServerResponse => {
  const nonce = crypto.randomUUID()
  return HttpServerResponse.text(
    text.replaceAll("%BASE_PATH%", basePath).replaceAll("%STYLE_NONCE%", nonce),
    {
      contentType: "text/html; charset=utf-8",
      headers: {
        "content-security-policy": contentSecurityPolicy(nonce),
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cache-control": "no-cache"
      }
    }
  )
}

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".map": "application/json"
}

const missing = Coded.response(404, "not_found", "there is nothing at this path")
const notBuilt = Coded.response(404, "not_found", "the console is not built: `npm run console` builds it")

const nameOf = (url: string): string | null =>
  /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.exec(url.slice(assets.length).split(/[?#]/, 1)[0]!)?.[0] ?? null

const takesPages = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  headers["accept"]?.includes("text/html") === true

/**
 * The console, from the folder that its build has written: `GET /console` and every path below it answer the page,
 * which tells one address from another; `/console/assets` has its files, whose names are hashes of what they hold.
 * `GET /` leads a browser there.
 *
 * @param basePath of the REST interface; the page reads it from its `meta` element
 */
export const layer = (folder: URL, basePath: string) => {
  const known = new Map<string, Uint8Array>()

  /** The bytes of a file, the same ones each time, so that they are compressed once; null when it is not there. */
  const asset = (name: string) =>
    Effect.gen(function* () {
      const bytes = known.get(name) ?? (yield* read(`assets/${name}`))
      if (bytes !== null) known.set(name, bytes)
      return bytes
    })

  const read = (name: string) =>
    Effect.promise(async () => {
      try {
        return new Uint8Array(await readFile(new URL(name, folder)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return null
        throw error
      }
    })

  const page = Effect.map(read("index.html"), (bytes) =>
    bytes === null ? notBuilt : pageOf(new TextDecoder().decode(bytes), basePath)
  )

  const file = Effect.fnUntraced(function* (url: string) {
    const name = nameOf(url)
    const bytes = name === null ? null : yield* asset(name)
    if (bytes === null) return missing
    return HttpServerResponse.uint8Array(bytes, {
      contentType: types[extname(name!)] ?? "application/octet-stream",
      headers: { "cache-control": "public, max-age=31536000, immutable" }
    })
  })

  const answered = withRequest(({ url }) => (url.startsWith(assets) ? file(url) : page))

  const root = withRequest((request) =>
    takesPages(request)
      ? Effect.succeed(HttpServerResponse.redirect(path, { headers: { vary: "accept" } }))
      : Effect.fail(new HttpServerError.RouteNotFound({ request }))
  )

  return HttpLayerRouter.use((router) =>
    Effect.zipRight(
      router.add("GET", "/", root),
      Effect.forEach([path, `${path}/*`] as const, (each) => router.add("GET", each, answered))
    )
  )
}
