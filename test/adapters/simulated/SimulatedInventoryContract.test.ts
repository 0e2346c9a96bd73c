import * as MemoryInventory from "../../../adapters/simulated/SimulatedInventory.ts"
import { numberInventoryContract } from "../../contracts/NumberInventory.ts"

numberInventoryContract("the catalogue in memory", MemoryInventory.layer, {
  country: "US",
  callingCode: "1",
  contains: "41523",
  without: "ZW"
})
