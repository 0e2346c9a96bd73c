import * as MemoryRegistry from "../../../adapters/simulated/SimulatedRegistry.ts"
import { templateRegistryContract } from "../../contracts/TemplateRegistry.ts"

templateRegistryContract("the registry in memory", MemoryRegistry.layer)
