import { Context } from "effect"
import type { Recording, RecordingLink } from "../model/recordings/Recording.ts"

/** A link as a request follows it: nothing in it is to be trusted. */
export interface PresentedLink {
  readonly recording_id: string
  readonly workspace_id: string
  readonly expires: string
  readonly signature: string
}

/**
 * Links to audio that need no key: each is signed for one recording of one workspace until one moment. All of it is
 * computed, nothing is looked up.
 */
export class RecordingLinks extends Context.Tag("outdial/RecordingLinks")<
  RecordingLinks,
  {
    /** `origin` (`https://host:port`) is where the request has reached the server; a public address that is set wins. */
    readonly make: (
      recording: Pick<Recording, "id" | "customer_id">,
      now: number,
      origin?: string | undefined
    ) => RecordingLink
    /** `forged`: not ours as it stands, whatever was changed about it. */
    readonly judge: (link: PresentedLink, now: number) => "good" | "expired" | "forged"
  }
>() {}
