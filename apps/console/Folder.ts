/** What the console's build writes, beside this module: in the checkout it is git-ignored, in the package it is there. */
export const folder = new URL("./public/", import.meta.url)
