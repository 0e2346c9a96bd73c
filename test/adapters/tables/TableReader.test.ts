import * as TableReader from "../../../adapters/tables/TableReader.ts"
import { tableReaderContract } from "../../contracts/TableReader.ts"

tableReaderContract("in processes of its own", TableReader.layer)
