import { bornYoung, bound, hold } from "../platform/Heap.ts"

// How the bundled server begins: what is to be so before the first of its other modules is loaded.

bound()
hold()
bornYoung()
await import("./main.ts")
