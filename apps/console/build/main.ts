import { fileURLToPath } from "node:url"
import { folder } from "../Folder.ts"
import { build } from "./Build.ts"

// `npm run console`: the console, where the server of this checkout looks for it.

await build(fileURLToPath(folder))
