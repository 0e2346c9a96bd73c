import { Layer } from "effect"
import * as Secrets from "../../adapters/crypto/Secrets.ts"
import { Ids } from "../../core/ports/Ids.ts"
import type { Repository } from "../../core/ports/Repository.ts"
import { Agents } from "../../core/usecases/Agents.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { PhoneNumbers } from "../../core/usecases/PhoneNumbers.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"

/** What an administrator does on a store, while servers use it or not: nothing is dialled here. */
export const administration = <E, R>(store: Layer.Layer<Repository, E, R>) =>
  Layer.mergeAll(Workspaces.layer, Agents.layer, PhoneNumbers.layer, Credits.layer).pipe(
    Layer.provideMerge(store),
    Layer.provide(Layer.merge(Ids.layer, Secrets.layer))
  )
