import { hold } from "../platform/YoungGeneration.ts"

// How the bundled server begins: what is to be so before the first of its other modules is loaded.

hold()
await import("./main.ts")
