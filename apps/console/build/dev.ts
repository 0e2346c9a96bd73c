import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { folder } from "../Folder.ts"
import { watch } from "./Build.ts"

// `npm run dev`: the console is built again after each change of its sources, and the server begins again after each of its own.

await watch(fileURLToPath(folder))
const tsx = createRequire(import.meta.url).resolve("tsx/cli")
const server = fileURLToPath(new URL("../../server/main.ts", import.meta.url))
spawn(process.execPath, [tsx, "watch", server], { stdio: "inherit" }).once("exit", (code) =>
  process.exit(code ?? 1)
)
