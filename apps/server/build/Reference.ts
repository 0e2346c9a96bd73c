import { createRequire } from "node:module"
import { brotliCompressSync, constants } from "node:zlib"
import type { Plugin } from "esbuild"

interface Reference {
  readonly css: string
  readonly javascript: string
}

/** The best quality takes seconds, for a tenth less. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 5 }

/** Bundles the text of `/docs`, which is 2 MB, compressed: the first request for it unpacks it. */
export const compressedReference: Plugin = {
  name: "compressed reference",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[\\/]internal[\\/]httpApiSwagger\.js$/ }, ({ path }) => {
      const { css, javascript } = createRequire(path)("../../cjs/internal/httpApiSwagger.js") as Reference
      const text = brotliCompressSync(JSON.stringify({ css, javascript }), { params }).toString("base64")
      return {
        contents: `import { Buffer } from "node:buffer"
          import { brotliDecompressSync } from "node:zlib"
          export const { css, javascript } = JSON.parse(brotliDecompressSync(Buffer.from("${text}", "base64")).toString())`
      }
    })
  }
}
