import { Chunk, Effect, Option, Stream } from "effect"
import { Rest } from "./Rest.ts"

/** An event that a server sends: its name, and its data, which is JSON text in one line. */
export interface ServerEvent {
  readonly name: string
  readonly data: string
}

/** An event in a line of JSON, its data as the server sent it. */
export const jsonLine = ({ data, name }: ServerEvent): string => `{"event":"${name}","data":${data}}`

/** The events of a stream at a path, as they come, until it ends. Source: HTML Standard, 9.2.6. */
export const follow = (path: string) =>
  Stream.unwrap(Effect.map(Rest, (rest) => rest.download(path))).pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.mapAccum("", (name, line): readonly [string, Option.Option<ServerEvent>] => {
      if (line.startsWith("event: ")) return [line.slice(7), Option.none()]
      return [name, line.startsWith("data: ") ? Option.some({ name, data: line.slice(6) }) : Option.none()]
    }),
    Stream.mapChunks(Chunk.filterMap((event) => event))
  )
