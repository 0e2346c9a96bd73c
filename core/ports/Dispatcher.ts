import { Context, type Effect } from "effect"

/**
 * Runs each workspace's due-work loop in one place at a time. A wake that is lost costs seconds, never a
 * call: what is due stands in the store.
 */
export class Dispatcher extends Context.Tag("outdial/Dispatcher")<
  Dispatcher,
  {
    /**
     * The workspace has work that may be due: its loop runs now, or once more if it is running. Where all that is due is
     * a call that was `placed`, a loop that can dial nothing may leave it for its next look, within a second.
     */
    readonly wake: (workspace_id: string, due?: "placed") => Effect.Effect<void>
  }
>() {}
