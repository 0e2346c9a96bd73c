import * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Duration, Stream } from "effect"

/** An event of a stream, with JSON text in one line. */
export const event = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`

/** Comments between the events, so that no proxy takes the connection for a dead one. */
const comments = Stream.drop(Stream.as(Stream.tick(Duration.seconds(15)), ":\n\n"), 1)

/** Answers with events as they come, until they end. The first comment is sent at once. */
export const streamed = (events: Stream.Stream<string>) =>
  HttpApp.unsafeEjectStreamScope(
    HttpServerResponse.stream(
      Stream.encodeText(
        Stream.concat(Stream.make(":\n\n"), Stream.merge(events, comments, { haltStrategy: "left" }))
      ),
      { contentType: "text/event-stream" }
    )
  )
