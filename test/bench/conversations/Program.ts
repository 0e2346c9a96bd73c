import { mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { bundle, root } from "../../../apps/server/build/Programs.ts"

/**
 * The program of both servers, bundled as what `npm start` runs. A loader of TypeScript gives each function its name when
 * it is made, which a conversation pays for with a tenth of its memory.
 */
export const program = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-bench-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
).pipe(
  Effect.tap((folder) =>
    Effect.promise(async () => {
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
      await bundle(folder, { conversations: "test/bench/conversations/server.ts" })
    })
  ),
  Effect.map((folder) => join(folder, "conversations.mjs"))
)
