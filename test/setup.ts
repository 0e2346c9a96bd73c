import { effect, it, live, prop, scoped, scopedLive } from "@effect/vitest"

// `layer` of @effect/vitest leaves what it made on `it`, where the files that follow in this process would find it.
Object.assign(it, { effect, live, prop, scoped, scopedLive })
