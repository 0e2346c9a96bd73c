import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import { Duration, Layer, Redacted } from "effect"
import { type PresentedLink, RecordingLinks } from "../../core/ports/RecordingLinks.ts"

export interface Options {
  /** What links are signed with; one of chance, which dies with the process, unless it is given. */
  readonly secret?: Redacted.Redacted | undefined
  /** How long a link is good, in whole seconds. Default 1 hour. */
  readonly lifetime?: Duration.DurationInput | undefined
  /** Where the REST interface stands: `/v0`. */
  readonly basePath?: string | undefined
  /** Where clients reach this service, without a slash at the end: `https://voice.example.com`. */
  readonly publicOrigin?: string | undefined
  /** The same, when there is no public one and no request tells it. */
  readonly ownOrigin?: string | undefined
}

const time = /^[1-9]\d{0,11}$/

/**
 * Links `{origin}{basePath}/recordings/{id}/audio?workspace=…&expires=…&signature=…`: the seconds of the epoch at
 * which it expires, and an HMAC-SHA256 of workspace, recording and that time, in base64url.
 */
export const layer = (options: Options = {}): Layer.Layer<RecordingLinks> =>
  Layer.sync(RecordingLinks, () => {
    const { basePath = "/v0", ownOrigin = "http://127.0.0.1:8080", publicOrigin } = options
    const key = options.secret === undefined ? randomBytes(32) : Redacted.value(options.secret)
    const lifetime = Duration.toMillis(options.lifetime ?? "1 hour")

    const sign = (workspace_id: string, recording_id: string, expires: string): string =>
      createHmac("sha256", key)
        .update(JSON.stringify(["recording", workspace_id, recording_id, expires]))
        .digest("base64url")

    const isSigned = ({ expires, recording_id, signature, workspace_id }: PresentedLink): boolean => {
      const wanted = Buffer.from(sign(workspace_id, recording_id, expires))
      const found = Buffer.from(signature)
      return found.length === wanted.length && timingSafeEqual(found, wanted)
    }

    return RecordingLinks.of({
      make: ({ customer_id, id }, now, origin) => {
        const seconds = Math.floor((now + lifetime) / 1_000)
        const expires = String(seconds)
        const query =
          `workspace=${encodeURIComponent(customer_id)}&expires=${expires}` +
          `&signature=${sign(customer_id, id, expires)}`
        const base = `${publicOrigin ?? origin ?? ownOrigin}${basePath}`
        return {
          url: `${base}/recordings/${encodeURIComponent(id)}/audio?${query}`,
          expires_at: 1_000 * seconds
        }
      },
      judge: (link, now) => {
        if (!isSigned(link) || !time.test(link.expires)) return "forged"
        return now < 1_000 * Number(link.expires) ? "good" : "expired"
      }
    })
  })
