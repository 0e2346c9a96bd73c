import process from "node:process"

// `outdial serve` starts without the modules of the other commands, which are a tenth of its memory.
const [, , ...words] = process.argv
await (words.length === 1 && words[0] === "serve" ? import("../server/begin.ts") : import("./main.ts"))
