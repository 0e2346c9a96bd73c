import * as MemoryRegistry from "../../../adapters/memory/TemplateRegistry.ts"
import { templateRegistryContract } from "../../contracts/TemplateRegistry.ts"

templateRegistryContract("the registry in memory", MemoryRegistry.layer)
