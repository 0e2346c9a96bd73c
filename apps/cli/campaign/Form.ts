import * as HttpBody from "@effect/platform/HttpBody"
import { Stream } from "effect"
import { randomUUID } from "node:crypto"
import { basename } from "node:path"

/** A file name, escaped as browsers do. Source: WHATWG HTML, "multipart form data". */
const escaped = (name: string): string =>
  name.toWellFormed().replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22")

/** A form with one file, sent as it is read. Without a size the request has no Content-Length. Source: RFC 7578. */
export const withFile = <E>(
  path: string,
  size: number | undefined,
  bytes: Stream.Stream<Uint8Array, E>
): HttpBody.Stream => {
  const boundary = `outdial-${randomUUID()}`
  const head = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escaped(basename(path))}"\r\n` +
      "Content-Type: application/octet-stream\r\n\r\n"
  )
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`)
  const body = Stream.concat(
    Stream.make<[Uint8Array]>(head),
    Stream.concat(bytes, Stream.make<[Uint8Array]>(tail))
  )
  return HttpBody.stream(
    body,
    `multipart/form-data; boundary=${boundary}`,
    size === undefined ? undefined : head.length + size + tail.length
  )
}
