import { Effect, Layer } from "effect"
import * as Inventory from "../../../adapters/twilio/NumberInventory.ts"
import { numberInventoryContract } from "../../contracts/NumberInventory.ts"
import { inventoryOf, serveNumbers } from "./NumberServer.ts"

numberInventoryContract(
  "Twilio",
  Layer.unwrapScoped(Effect.map(serveNumbers, (server) => Inventory.layer(inventoryOf(server)))),
  { country: "US", callingCode: "1", contains: "5551", without: "FR" }
)
