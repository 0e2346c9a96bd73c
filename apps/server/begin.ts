import { hold, settle } from "../platform/Heap.ts"

export { released } from "../platform/Heap.ts"

// How the server begins: what is to be so before the first of its other modules is loaded.

settle()
hold()
void import("./main.ts")
