import { layer } from "../../../adapters/memory/Repository.ts"
import { repositoryContract } from "../../contracts/Repository.ts"

repositoryContract("Repository in memory", layer)
